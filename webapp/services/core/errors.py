"""What a service says no with. ``webapp.web.errors`` has the status and the sentence of each code."""


class Refusal(Exception):
    """Nothing was changed. ``detail`` is for the log and the curious; it never holds anything secret."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail
