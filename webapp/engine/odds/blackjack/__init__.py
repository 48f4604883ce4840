"""The odds of blackjack: hands, boxes, splits, and the edge of a table."""
