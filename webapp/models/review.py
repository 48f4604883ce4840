"""Reviews of finished hands, what they come to for each player, and answers to decisions that are asked again."""

from sqlalchemy import BigInteger, CheckConstraint, Float, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from webapp.extensions import Base


class Review(Base):
    """The review of a finished hand or round, as JSON: see ``webapp.engine.odds.review``.

    ``version`` is that of the method. A review of another version is worked out again when somebody asks for it.
    """

    __tablename__ = "review"

    key: Mapped[str] = mapped_column(String(16), primary_key=True)
    """Key of the hand or of the round."""
    version: Mapped[str] = mapped_column(String(20))
    document: Mapped[str] = mapped_column(Text)
    summary: Mapped[str | None] = mapped_column(Text)
    """What its decisions cost, as JSON: see ``services.review.summary``. None if it was stored before there was one."""
    at: Mapped[int] = mapped_column(BigInteger)


class DecisionStatistics(Base):
    """The decisions of a player at a table of a game, added up with every review that is stored.

    ``cost`` and ``luck`` are chips, or points; ``luck_squared`` is the sum of each hand's luck times itself.
    ``dearest`` are the decisions that cost most, as JSON. Each version of the method has rows of its own.
    """

    __tablename__ = "decision_statistics"

    player_id: Mapped[str] = mapped_column(ForeignKey("player.id"), primary_key=True)
    game: Mapped[str] = mapped_column(String(20), primary_key=True)
    variant: Mapped[str] = mapped_column(String(300), primary_key=True)
    version: Mapped[str] = mapped_column(String(20), primary_key=True)
    hands: Mapped[int]
    decisions: Mapped[int]
    best: Mapped[int]
    cost: Mapped[float] = mapped_column(Float)
    staked: Mapped[int] = mapped_column(BigInteger)
    luck: Mapped[float] = mapped_column(Float)
    luck_squared: Mapped[float] = mapped_column(Float)
    dearest: Mapped[str] = mapped_column(Text)


class Recall(Base):
    """A decision of a finished hand or round that a player is asked again: see ``services.review.recalls``.

    ``slipped``: it cost something when it was played, or when it was asked. ``asked``: number of answers, of which
    ``failures`` were wrong and the last ``streak`` good. ``due_at``: None once it is solved or parked.
    """

    __tablename__ = "recall"

    word: Mapped[str] = mapped_column(String(16), primary_key=True)
    """Names it in addresses; a question tells neither its hand nor whether it was played well."""
    player_id: Mapped[str] = mapped_column(ForeignKey("player.id"))
    hand_key: Mapped[str | None] = mapped_column(ForeignKey("hand.key"), index=True)
    round_key: Mapped[str | None] = mapped_column(ForeignKey("table_round.key"), index=True)
    """Key of a round, at the player's own seat of which it was decided; then there is no ``hand_key``."""
    step: Mapped[int]
    slipped: Mapped[bool]
    asked: Mapped[int] = mapped_column(default=0)
    streak: Mapped[int] = mapped_column(default=0)
    failures: Mapped[int] = mapped_column(default=0)
    answer: Mapped[str | None] = mapped_column(String(80))
    """The last answer."""
    due_at: Mapped[int | None] = mapped_column(BigInteger)
    moved_at: Mapped[int] = mapped_column(BigInteger)

    __table_args__ = (
        CheckConstraint("(hand_key IS NULL) <> (round_key IS NULL)", name="recall_of"),
        Index("recall_once", "player_id", "hand_key", "step", unique=True),
        Index("recall_once_of_round", "player_id", "round_key", "step", unique=True),
    )

    @property
    def key(self) -> str:
        """Key of the hand or of the round."""
        return self.hand_key or self.round_key or ""


class DrillAnswer(Base):
    """What an answer to a decision of a drill or to a recall has cost: see ``services.review.ratings``.

    ``share``: of the stake, or of the best value where nothing is staked. Answers to drills of counting are kept in the
    same way, by the name of the drill in place of a game; ``share`` is by how much they were off.
    """

    __tablename__ = "drill_answer"

    player_id: Mapped[str] = mapped_column(ForeignKey("player.id"), primary_key=True)
    game: Mapped[str] = mapped_column(String(20), primary_key=True)
    spot: Mapped[str] = mapped_column(String(64), primary_key=True)
    """The word of the drill's cards, so that nobody is rated for the same decision twice."""
    at: Mapped[int] = mapped_column(BigInteger)
    share: Mapped[float] = mapped_column(Float)
