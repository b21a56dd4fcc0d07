/// A run as a small picture in SVG: what is claimed, or how many cases failed.
enum Badge {
    static func text(_ run: ReportDocument) -> String {
        let (message, colour) = message(run)
        let label = "cenotaph \(run.corpus)"
        let (left, right) = (width(label), width(message))
        let title = Markup.escape("\(label): \(message)")
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(left + right)" height="20" role="img" aria-label="\(title)">
              <title>\(title); \(Markup.escape(run.implementation)); manifest \(run.manifest); checker \(run.checker); seed \(run.seed)</title>
              <clipPath id="r"><rect width="\(left + right)" height="20" rx="3"/></clipPath>
              <g clip-path="url(#r)">
                <rect width="\(left)" height="20" fill="#444c56"/>
                <rect x="\(left)" width="\(right)" height="20" fill="\(colour)"/>
              </g>
              <g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
                <text x="\(left / 2)" y="14">\(Markup.escape(label))</text>
                <text x="\(left + right / 2)" y="14">\(Markup.escape(message))</text>
              </g>
            </svg>

            """
    }

    private static func message(_ run: ReportDocument) -> (String, colour: String) {
        let failed = run.failures.count
        if failed > 0 { return ("\(failed) failed", "#b62324") }
        guard !run.levels.isEmpty else { return ("no claim", "#6e7781") }
        let known = run.count(.xfail)
        let levels = run.levels.joined(separator: " ")
        return known == 0
            ? (levels, "#1a7f37") : ("\(levels), \(known) expected failures", "#9a6700")
    }

    /// About the width of a text, in pixels, with its margins.
    private static func width(_ text: String) -> Int { text.count * 7 + 12 }
}
