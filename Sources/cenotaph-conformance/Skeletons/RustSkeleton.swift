extension Skeleton {
    /// An adapter in Rust.
    static let rust = Skeleton(
        name: "rust", build: "rustc -O adapter.rs", command: "./adapter",
        files: [
            (
                "adapter.rs",
                ##"""
                // An adapter for Cenotaph's conformance checker: requests in, answers out, one JSON object a line.
                // It needs no crate: requests are flat objects of strings, which `parse` reads.
                use std::collections::BTreeMap;
                use std::io::{BufRead, Write};

                type Fields = BTreeMap<String, String>;

                enum Failure {
                    /// The input is no value: a class of Spec/09-errors.md.
                    Reject(&'static str),
                    /// The request makes no sense.
                    Error(&'static str),
                }

                fn bytes(fields: &Fields, name: &str) -> Result<Vec<u8>, Failure> {
                    let text = fields.get(name).ok_or(Failure::Error("a field is missing"))?;
                    let digit = |c: u8| match c {
                        b'0'..=b'9' => Ok(c - b'0'),
                        b'a'..=b'f' => Ok(c - b'a' + 10),
                        _ => Err(Failure::Error("not lower-case hexadecimal")),
                    };
                    if text.len() % 2 != 0 {
                        return Err(Failure::Error("half a byte"));
                    }
                    text.as_bytes().chunks(2).map(|pair| Ok(digit(pair[0])? << 4 | digit(pair[1])?)).collect()
                }

                /// Spec/02-primitives.md: seven bits a byte, least significant first, at most 64 bits, no zero byte at the end.
                fn uvarint_decode(fields: &Fields) -> Result<Fields, Failure> {
                    let data = bytes(fields, "bytes")?;
                    let mut value = 0u64;
                    for (place, &byte) in data.iter().enumerate() {
                        if place == 9 && byte > 1 {
                            return Err(Failure::Reject("range"));
                        }
                        value |= u64::from(byte & 0x7f) << (7 * place);
                        if byte < 0x80 {
                            if byte == 0 && place > 0 {
                                return Err(Failure::Reject("noncanonical"));
                            }
                            if place + 1 < data.len() {
                                return Err(Failure::Reject("trailing"));
                            }
                            return Ok(Fields::from([("value".into(), value.to_string())]));
                        }
                    }
                    Err(Failure::Reject("truncated"))
                }

                const OPS: [(&str, fn(&Fields) -> Result<Fields, Failure>); 1] = [("uvarint.decode", uvarint_decode)];

                fn quoted(text: &str) -> String {
                    let mut out = String::from("\"");
                    for c in text.chars() {
                        match c {
                            '"' | '\\' => out.extend(['\\', c]),
                            c if c < ' ' => out += &format!("\\u{:04x}", c as u32),
                            c => out.push(c),
                        }
                    }
                    out + "\""
                }

                fn object(fields: &Fields) -> String {
                    let members: Vec<String> = fields.iter().map(|(name, value)| format!("{}:{}", quoted(name), quoted(value))).collect();
                    format!("{{{}}}", members.join(","))
                }

                /// A flat JSON object whose values are strings.
                fn parse(line: &str) -> Option<Fields> {
                    let mut rest = line.trim().strip_prefix('{')?.chars().peekable();
                    let mut texts = Vec::new();
                    while let Some(c) = rest.next() {
                        if c != '"' {
                            continue;
                        }
                        let mut text = String::new();
                        loop {
                            match rest.next()? {
                                '"' => break,
                                '\\' => match rest.next()? {
                                    'n' => text.push('\n'),
                                    't' => text.push('\t'),
                                    'r' => text.push('\r'),
                                    'b' => text.push('\u{8}'),
                                    'f' => text.push('\u{c}'),
                                    'u' => {
                                        let digits: String = (0..4).map_while(|_| rest.next()).collect();
                                        text.push(char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?);
                                    }
                                    other => text.push(other),
                                },
                                other => text.push(other),
                            }
                        }
                        texts.push(text);
                    }
                    let pairs = texts.chunks(2).map(|pair| Some((pair[0].clone(), pair.get(1)?.clone())));
                    pairs.collect()
                }

                fn answer(request: &Fields) -> String {
                    let op = request.get("op").map_or("", String::as_str);
                    if op == "hello" {
                        let names: Vec<&str> = OPS.iter().map(|(name, _)| *name).collect();
                        let ops = names.join(" ");
                        let hello = [("protocol", "1"), ("name", "skeleton"), ("version", "0.1"), ("language", "rust"), ("ops", &ops), ("features", "")];
                        return format!("\"ok\":{}", object(&hello.map(|(name, value)| (name.into(), value.into())).into()));
                    }
                    let Some((_, operation)) = OPS.iter().find(|(name, _)| *name == op) else {
                        return format!("\"unsupported\":{}", quoted(op));
                    };
                    match operation(request) {
                        Ok(out) => format!("\"ok\":{}", object(&out)),
                        Err(Failure::Reject(class)) => format!("\"reject\":{}", quoted(class)),
                        Err(Failure::Error(text)) => format!("\"error\":{}", quoted(text)),
                    }
                }

                fn main() {
                    let mut output = std::io::stdout();
                    for line in std::io::stdin().lock().lines() {
                        let request = line.ok().and_then(|line| parse(&line)).expect("a request is a flat JSON object");
                        let id = request.get("id").map_or("", String::as_str);
                        writeln!(output, "{{\"id\":{},{}}}", quoted(id), answer(&request)).expect("the output is open");
                    }
                }

                """##
            )
        ])
}
