"""The error with which a service refuses a request. Status and sentence of each code: ``webapp.web.i18n.refusals``."""


class Refusal(Exception):
    """A request that cannot be carried out; nothing was changed.

    ``detail`` is for the log and for programs, and never holds anything secret.
    """

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail
