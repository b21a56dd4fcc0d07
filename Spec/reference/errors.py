"""The closed registry of error classes (ERR-001) and the exception that carries one."""

CLASSES = ("auth", "seal-format", "version", "type", "truncated", "trailing", "too-large",
           "noncanonical", "range", "order", "duplicate", "text", "unexpected", "stale")

LAYERS = dict(zip(CLASSES, ["seal"] * 2 + ["frame"] * 5 + ["value"] * 5 + ["state"] * 2))


class Reject(Exception):
    """An input was rejected: `cls` is the class of 09, `rule` the sentence broken, `at` the byte offset."""

    def __init__(self, cls, rule, at=None):
        assert cls in LAYERS, cls
        super().__init__(f"{cls} [{rule}]" + ("" if at is None else f" at byte {at}"))
        self.cls, self.rule, self.at = cls, rule, at

    @property
    def layer(self):
        return LAYERS[self.cls]
