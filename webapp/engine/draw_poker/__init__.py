"""Draw poker for one player: the rules that Quest poker and Joker poker share."""
