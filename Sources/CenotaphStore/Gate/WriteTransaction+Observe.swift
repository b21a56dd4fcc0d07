internal import CenotaphMerge
public import CenotaphWire

/// Rows that the app keeps in tables, folders or lists of its own.
extension WriteTransaction {
    /// Takes in what the app shows now: new and edited rows become writes, missing ones deletes.
    ///
    /// Compares with the bookkeeping, not with the rows here: a row that a peer added and the app has not taken in yet
    /// is not missing, and an edit covers only what the app had seen. Only a complete listing deletes, and only rows
    /// that the app had; a mass of deletes is held back (`ObserveOptions.massDeletes`). A row that is deleted is
    /// reported as dead and never revived. What is as it was costs no write. O(rows listed and known).
    /// - Parameters:
    ///   - name: A namespace of the policy `causal` or `lastWriter`.
    ///   - listing: What the app shows.
    ///   - options: Which observer it is, and what is held back.
    /// - Returns: What was done.
    /// - Throws: `otherStorage`; `refused` for another policy or when no later time can be written; `store`.
    public func observe(
        _ name: NamespaceName, _ listing: Listing, _ options: ObserveOptions = ObserveOptions()
    ) throws(GateError) -> ObserveReport {
        let book = try openBook(name, options.observer, listing.storage)
        var report = ObserveReport()
        for row in listing.rows {
            if let body = row.body {
                try take(row, body, name, book, options, &report)
            } else if var known = try wrap({ () throws(StoreError) in try book.row(row.key) }),
                known.event != 0
            {
                try release(&known)
                try save(row.key, known, book)
            }
        }
        if listing.isComplete { try take(absencesIn: listing, name, book, options, &report) }
        return report
    }

    /// Makes another storage the one that an observer's listings come from.
    ///
    /// Forgets what the app had, and every event that waits: nothing that is missing there is a delete.
    /// - Throws: `refused(.unknownNamespace)`, `store`.
    public func resetObserver(
        _ name: NamespaceName, storage: ID16, observer: String = "app"
    ) throws(GateError) {
        guard let book = try findBook(name, observer) else {
            _ = try openBook(name, observer, storage)
            return
        }
        try wrap { () throws(StoreError) in
            for (key, _) in try book.leaves() { try book.set(key, nil) }
            try ObserveBook(store: store, number: book.number, storage: storage)
                .save(name, observer)
        }
        try updateHeldDeletes { events in
            events.removeAll { $0.namespace == name && $0.observer == observer }
        }
    }

    // MARK: Rows that are listed

    private func take(
        _ listed: Listing.Row, _ body: [UInt8], _ name: NamespaceName, _ book: ObserveBook,
        _ options: ObserveOptions, _ report: inout ObserveReport
    ) throws(GateError) {
        let key = listed.key
        let before = try wrap { () throws(StoreError) in try book.row(key) }
        let hash = try bodyHash(name, body)
        var known = before ?? ObservedRow()
        try release(&known)
        known.note = listed.note
        let decision = ObserveDecision.listed(
            hash, before, try state(of: key, name, body),
            keepsEdits: options.keepsEditsOfDeletedRows)
        let losing: Allowing = options.replacesOwnValues ? .losingOwnValue : []
        do throws(GateError) {
            switch decision {
            case .nothing: break
            case .adopt: known.held = try copy(of: key, name, hash)
            case .settle: known.held = known.pending
            case .write(let base):
                known.held = try write(name, key, body, hash, over: base, allowing: losing)
                report.written.append(key)
            case .revive(let base):
                known.held = try write(
                    name, key, body, hash, over: base, allowing: losing.union(.reviving))
                report.written.append(key)
            case .reportDead: report.dead.append(key)
            case .delete, .forget: preconditionFailure("a listed row is not missing")
            }
        } catch {
            guard case .refused(let refusal) = error, refusal.isOfOneRow else { throw error }
            report.refused.append(.init(key: key, refusal: refusal))
            return
        }
        if decision != .nothing, decision != .reportDead { known.pending = nil }
        // A dead row that the app did not have before is none that it has now.
        guard known != before, before != nil || decision != .reportDead else { return }
        try save(key, known, book)
    }

    private func state(
        of key: Key, _ name: NamespaceName, _ body: [UInt8]
    ) throws(GateError) -> ObserveDecision.Held {
        if let live = try get(name, key) { return .live(sameBody: live.body == body) }
        return try row(.tombstones, in: name, key) == nil ? .nothing : .dead
    }

    private func row(
        _ set: RowSet, in name: NamespaceName, _ key: Key
    ) throws(GateError) -> Row? { try row(name, set, key) }

    /// Writes the app's body, and returns what the app has then.
    private func write(
        _ name: NamespaceName, _ key: Key, _ body: [UInt8], _ hash: Hash256, over base: RowVersion,
        allowing: Allowing
    ) throws(GateError) -> ObservedRow.Copy {
        let seen = try put(name, key, body, basedOn: base, allowing: allowing)
        guard try get(name, key)?.body == body, let copy = try copy(of: key, name, hash) else {
            // A value with a greater stamp is read in its place: the app is behind.
            return ObservedRow.Copy(hash: hash, leaf: .zero, version: seen)
        }
        return copy
    }

    // MARK: Rows that are missing

    private func take(
        absencesIn listing: Listing, _ name: NamespaceName, _ book: ObserveBook,
        _ options: ObserveOptions, _ report: inout ObserveReport
    ) throws(GateError) {
        var missing: [(key: Key, row: ObservedRow, base: RowVersion)] = []
        var present = 0
        var listed = listing.rows[...]
        for (key, _) in try wrap({ () throws(StoreError) in try book.leaves() }) {
            while let first = listed.first, first.key < key { listed.removeFirst() }
            let row = try wrap { () throws(StoreError) in try book.row(key) }
            if listed.first?.key == key {
                if row?.held != nil { present += 1 }
                continue
            }
            guard let row else { continue }
            if let base = try deletes(key, row, name) {
                missing.append((key, row, base))
            } else {
                try forget(key, row, book)
            }
        }
        let isHeld = options.massDeletes.holds(
            missing: missing.count, known: present + missing.count, isEmpty: listing.rows.isEmpty)
        let new = missing.filter { $0.row.event == 0 }
        guard !isHeld else {
            report.held = try hold(new.map { ($0.key, $0.row) }, name, options.observer, book)
            return
        }
        for (key, row, base) in new {
            do throws(GateError) {
                if try delete(name, key, basedOn: base) { report.deleted.append(key) }
                try forget(key, row, book)
            } catch {
                guard case .refused(let refusal) = error, refusal.isOfOneRow else { throw error }
                report.refused.append(.init(key: key, refusal: refusal))
            }
        }
    }

    /// What a missing row's deletion is based on, or `nil` if nothing that the app had is live.
    private func deletes(
        _ key: Key, _ row: ObservedRow, _ name: NamespaceName
    ) throws(GateError) -> RowVersion? {
        let live = try get(name, key)
        guard case .delete(let base) = ObserveDecision.missing(row, isLive: live != nil),
            let live, live.values.contains(where: { $0.stamp.map(base.includes) ?? false })
        else { return nil }
        return base
    }
}

extension WriteRefusal {
    /// Whether other rows may still be written.
    fileprivate var isOfOneRow: Bool {
        switch self {
        case .rowDeleted, .bodyTooLarge, .rowTooLarge, .tooManyWriters, .unseenOwnValue,
            .keyWithoutParent, .parentDeleted, .unresolved:
            true
        case .groupBuried, .eventExists, .clockExhausted, .unknownNamespace, .wrongPolicy,
            .messageExists, .messageUnknown, .messageDeleted, .notAuthor:
            false
        }
    }
}
