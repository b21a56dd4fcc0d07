"""A contact's channel: what is accepted from it (SYNC-032 to SYNC-034) and what is told to it (SYNC-036, SYNC-037)."""

from errors import Reject
from merge import EVERYONE, IN, LIVE, OUT, Message, duty


def accept(own, contact, key, m):
    """The message as it is merged: unchanged, or a rejection."""
    about_theirs = (key[:16] == contact and own != contact and m.scope in (LIVE, EVERYONE) and not m.delivered
                    and (m.base is None or m.base[0] == IN))
    receipt = key[:16] == own and m == Message(delivered=1)
    if not about_theirs and not receipt:
        raise Reject("unexpected", "SYNC-034")
    return m


def tell(own, contact, key, m):
    """The operation for the contact, or None."""
    if key[:16] == own and (m.base is None or m.base[0] == OUT):
        base = m.base and (IN, *m.base[1:])
        if m.scope == EVERYONE:
            return Message(base, scope=EVERYONE)
        if (m.scope == LIVE or duty(m) is not None) and (m.base or m.edit):
            return Message(base, m.edit)
    elif key[:16] == contact and m.base and m.base[0] == IN:
        return Message(delivered=1)
    return None
