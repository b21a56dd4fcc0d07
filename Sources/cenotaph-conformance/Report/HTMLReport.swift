/// Runs of one or several implementations side by side, as one page that needs nothing else.
enum HTMLReport {
    static func text(_ runs: [ReportDocument]) -> String {
        let names = runs.map(\.implementation).joined(separator: ", ")
        var lines = [
            "<!doctype html>", #"<html lang="en"><head><meta charset="utf-8">"#,
            #"<meta name="viewport" content="width=device-width, initial-scale=1">"#,
            "<title>Conformance: \(Markup.escape(names))</title>",
            "<style>\(HTMLStyle.text)</style></head><body><main>",
            "<h1>Conformance to Cenotaph</h1>", #"<div class="cards">"#,
        ]
        lines += runs.flatMap(card)
        lines.append("</div>")
        lines += files(runs) + requirements(runs) + runs.flatMap(failures)
        return (lines + ["</main></body></html>"]).joined(separator: "\n") + "\n"
    }

    private static func card(_ run: ReportDocument) -> [String] {
        let levels =
            run.levels.isEmpty
            ? #"<b class="level none">no claim</b>"#
            : run.levels.map { #"<b class="level">\#(Markup.escape($0))</b>"# }.joined()
        let facts = [
            ("corpus", run.corpus), ("manifest", run.manifest), ("specification", run.spec),
            ("checker", run.checker), ("seed", run.seed),
            ("errors", run.strictErrors ? "strict" : "by layer"), ("claim", run.claim),
        ]
        let hello = run.adapter.sorted { $0.key < $1.key }.map { ("hello: \($0.key)", $0.value) }
        let selection = run.selection.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        let rows = (facts + selection + hello).map {
            "<dt>\(Markup.escape($0))</dt><dd>\(Markup.escape($1))</dd>"
        }
        return [
            #"<section class="card \#(run.isGood ? "good" : "bad")">"#,
            "<h2>\(Markup.escape(run.implementation))</h2><p>\(levels)</p>",
            "<p>\(chips(run.totals))</p>", bar(run.totals, run.cases),
            "<details><summary>Versions, seed, claim and greeting</summary><dl>",
        ] + rows + ["</dl></details></section>"]
    }

    private static func chips(_ totals: [String: Int]) -> String {
        Outcome.allCases.filter { (totals[$0.rawValue] ?? 0) > 0 || $0 == .pass }.map {
            #"<span class="chip \#($0.rawValue)">\#(totals[$0.rawValue] ?? 0) \#($0.rawValue)</span>"#
        }.joined(separator: " ")
    }

    private static func bar(_ totals: [String: Int], _ all: Int) -> String {
        let parts = Outcome.allCases.compactMap { outcome -> String? in
            guard let count = totals[outcome.rawValue], count > 0 else { return nil }
            return #"<i class="\#(outcome.rawValue)" style="flex:\#(count)"></i>"#
        }
        return #"<div class="bar" role="img" aria-label="\#(all) cases">\#(parts.joined())</div>"#
    }

    private static func head(_ first: [String], _ runs: [ReportDocument], _ last: [String] = [])
        -> String
    {
        let names = first + runs.map(\.implementation) + last
        return "<tr>" + names.map { "<th>\(Markup.escape($0))</th>" }.joined() + "</tr>"
    }

    private static func files(_ runs: [ReportDocument]) -> [String] {
        let files = Set(runs.flatMap(\.files)).sorted()
        let rows = files.map { file -> String in
            let cells = runs.map { run -> String in
                var counts: [String: Int] = [:]
                for result in run.results where result.file == file {
                    counts[result.outcome.rawValue, default: 0] += 1
                }
                let all = counts.values.reduce(0, +)
                let text = "\(counts[Outcome.pass.rawValue] ?? 0) of \(all) pass"
                return "<td>\(text)\(bar(counts, all))</td>"
            }
            return "<tr><th scope=\"row\">\(Markup.escape(file))</th>\(cells.joined())</tr>"
        }
        return ["<h2>Files</h2>", #"<div class="wide"><table>"#, head([""], runs)] + rows
            + ["</table></div>"]
    }

    private static func requirements(_ runs: [ReportDocument]) -> [String] {
        var lines = ["<h2>Requirements</h2>", #"<div class="wide"><table>"#]
        lines.append(head(["sentence"], runs, ["text"]))
        var section: String?
        for sentence in Matrix.sentences(runs) {
            if sentence.section != section {
                section = sentence.section
                let title = section.map { $0.isEmpty ? "others" : "Section \($0)" } ?? ""
                lines.append(
                    #"<tr class="section"><th colspan="\#(runs.count + 2)">\#(Markup.escape(title))</th></tr>"#
                )
            }
            let cells = runs.map { run -> String in
                guard let found = run.requirements[sentence.id] else { return "<td></td>" }
                let worst = found.worst.rawValue
                let label = found.worst == .pass ? found.score : "\(found.score) \(worst)"
                return #"<td><span class="chip \#(worst)">\#(label)</span></td>"#
            }
            lines.append(
                #"<tr id="\#(Markup.escape(sentence.id))"><th scope="row">\#(Markup.escape(sentence.id))</th>\#(cells.joined())<td class="text">\#(Markup.escape(sentence.text))</td></tr>"#
            )
        }
        return lines + ["</table></div>"]
    }

    private static func failures(_ run: ReportDocument) -> [String] {
        let shown: [Outcome] = [.fail, .crash, .timeout, .unsupported, .xfail, .xpass]
        let bad = run.results.filter { shown.contains($0.outcome) }
        if bad.isEmpty { return [] }
        let rows = bad.map { result -> String in
            let links = result.req.map { id in
                ##"<a href="#\##(Markup.escape(id))">\##(Markup.escape(id))</a>"##
            }
            let text = [result.difference, result.diagnosis].compactMap(\.self)
            return
                #"<tr><th scope="row">\#(Markup.escape(result.id))</th><td><span class="chip \#(result.outcome.rawValue)">\#(result.outcome == .xfail ? "xfail " : "")\#(result.label)</span></td><td>\#(links.joined(separator: " "))</td><td class="text">\#(Markup.escape(text.joined(separator: "; ")))</td></tr>"#
        }
        return [
            "<details\(bad.count <= 50 ? " open" : "")><summary><h2>Cases of "
                + "\(Markup.escape(run.implementation)) that did not pass: \(bad.count)</h2></summary>",
            #"<div class="wide"><table>"#,
            "<tr><th>case</th><th>outcome</th><th>sentences</th><th>difference</th></tr>",
        ] + rows + ["</table></div></details>"]
    }
}

/// The look of the page, in light and dark.
enum HTMLStyle {
    static let text = """
        :root{--ground:#fff;--text:#1f2328;--soft:#59636e;--line:#d1d9e0;--card:#f6f8fa;
        --pass:#1a7f37;--fail:#cf222e;--warn:#9a6700;--mute:#818b98;color-scheme:light dark}
        @media(prefers-color-scheme:dark){:root{--ground:#0d1117;--text:#e6edf3;--soft:#9198a1;--line:#30363d;
        --card:#161b22;--pass:#2ea043;--fail:#da3633;--warn:#bb8009;--mute:#6e7681}}
        *{box-sizing:border-box}
        body{margin:0;background:var(--ground);color:var(--text);font:15px/1.5 system-ui,sans-serif}
        main{max-width:76rem;margin:0 auto;padding:2rem 1.25rem 4rem}
        h1{font-size:1.6rem;margin:0 0 1rem}h2{font-size:1.15rem;margin:2rem 0 .6rem}
        .cards{display:grid;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(19rem,1fr))}
        .card{border:1px solid var(--line);border-top:4px solid var(--pass);border-radius:8px;background:var(--card);padding:1rem 1.1rem}
        .card.bad{border-top-color:var(--fail)}.card h2{margin:0}.card p{margin:.5rem 0}
        .level{display:inline-block;background:var(--pass);color:#fff;border-radius:6px;padding:.05rem .55rem;margin-right:.35rem}
        .level.none{background:var(--mute)}
        dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem .8rem;margin:.6rem 0 0;font-size:.85rem}
        dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
        summary{cursor:pointer;color:var(--soft)}summary h2{display:inline;color:var(--text)}
        .bar{display:flex;height:7px;border-radius:4px;overflow:hidden;background:var(--line);margin-top:.3rem;gap:1px}
        .bar i{background:var(--mute);min-width:2px}
        .bar .pass{background:var(--pass)}
        .bar .fail,.bar .crash,.bar .timeout{background:var(--fail)}
        .bar .xfail,.bar .xpass,.bar .unsupported{background:var(--warn)}
        .chip{display:inline-block;border-radius:999px;padding:0 .6rem;font-size:.82rem;white-space:nowrap;border:1px solid var(--mute);color:var(--soft)}
        .chip.pass{border-color:var(--pass);color:var(--pass)}
        .chip.fail,.chip.crash,.chip.timeout{background:var(--fail);border-color:var(--fail);color:#fff}
        .chip.xfail,.chip.xpass,.chip.unsupported{border-color:var(--warn);color:var(--warn)}
        .wide{overflow-x:auto;border:1px solid var(--line);border-radius:8px}
        table{border-collapse:collapse;width:100%;font-size:.9rem}
        th,td{padding:.4rem .7rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
        tr:last-child>*{border-bottom:0}th{font-weight:600;white-space:nowrap}
        tr.section th{background:var(--card);color:var(--soft)}
        tr:target{background:var(--card)}td.text{color:var(--soft);min-width:20rem;overflow-wrap:anywhere}
        a{color:inherit}
        """
}
