extension Skeleton {
    /// An adapter in Python.
    static let python = Skeleton(
        name: "python", build: "", command: "python3 adapter.py",
        files: [
            (
                "adapter.py",
                ##"""
                #!/usr/bin/env python3
                """An adapter for Cenotaph's conformance checker: requests in, answers out, one JSON object a line."""

                import json
                import sys


                class Reject(Exception):
                    """The input is no value; the text is a class of Spec/09-errors.md."""


                def uvarint_decode(fields):
                    """Spec/02-primitives.md: seven bits a byte, least significant first, at most 64 bits, no zero byte at the end."""
                    data = bytes.fromhex(fields["bytes"])
                    value = 0
                    for place, byte in enumerate(data):
                        if place == 9 and byte > 1:
                            raise Reject("range")
                        value |= (byte & 0x7F) << 7 * place
                        if byte < 0x80:
                            if byte == 0 and place > 0:
                                raise Reject("noncanonical")
                            if place + 1 < len(data):
                                raise Reject("trailing")
                            return {"value": str(value)}
                    raise Reject("truncated")


                OPS = {"uvarint.decode": uvarint_decode}
                HELLO = {"protocol": "1", "name": "skeleton", "version": "0.1", "language": "python", "ops": " ".join(OPS), "features": ""}


                def answer(request):
                    if request["op"] == "hello":
                        return {"ok": HELLO}
                    operation = OPS.get(request["op"])
                    if operation is None:
                        return {"unsupported": "no operation " + request["op"]}
                    try:
                        return {"ok": operation(request)}
                    except Reject as rejection:
                        return {"reject": str(rejection)}
                    except Exception as failure:
                        return {"error": repr(failure)}


                for line in sys.stdin:
                    request = json.loads(line)
                    print(json.dumps({"id": request["id"], **answer(request)}), flush=True)

                """##
            )
        ])
}
