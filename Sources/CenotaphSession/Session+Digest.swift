internal import CenotaphMerge
internal import CenotaphWire

extension Session {
    mutating func takeSummary<Store: ReconcileStore>(
        _ tag: ID16, _ store: Store
    ) throws(Store.Failure) -> [FrameBody] {
        guard tag != store.summary else {
            for own in store.digests {
                if let peer { try store.noteAgreement(peer, own.name) }
                for set in RowSet.allCases {
                    sketches.becameEqual(PullID(namespace: own.name, set: set))
                }
            }
            becomeAgreed()
            return []
        }
        isAgreed = false
        isDigestDue = false
        return [.digest(.full(store.digests))]
    }

    mutating func takeDigests<Store: ReconcileStore>(
        _ digests: [NamespaceDigest], _ store: Store
    ) throws(Store.Failure) -> [FrameBody] {
        peerDigests = [:]
        for digest in digests { peerDigests?[digest.name] = digest }
        var outgoing: [FrameBody] = []
        for own in store.digests {
            guard let theirs = peerDigests?[own.name] else { continue }
            for set in RowSet.allCases where own[set].fingerprint != theirs[set].fingerprint {
                let id = PullID(namespace: own.name, set: set)
                outgoing += try startPull(id, theirs: theirs[set], store)
            }
        }
        try compare(store)
        if isDigestDue, pulls.isEmpty {
            isDigestDue = false
            outgoing.append(.digest(.full(store.digests)))
        }
        return outgoing
    }

    /// Compares the peer's latest digest with the store as it is now (Spec SYNC-013, SYNC-014).
    mutating func compare<Store: ReconcileStore>(_ store: Store) throws(Store.Failure) {
        guard let peerDigests else { return }
        var isEqual = true
        for own in store.digests {
            let theirs = peerDigests[own.name]
            for set in RowSet.allCases where own[set] == theirs?[set] {
                sketches.becameEqual(PullID(namespace: own.name, set: set))
            }
            if let theirs, own.live == theirs.live, own.tombstones == theirs.tombstones {
                try store.joinKnowledge(own.name, theirs.knowledge)
                if let peer { try store.noteAgreement(peer, own.name) }
            } else {
                isEqual = false
            }
        }
        if isEqual { becomeAgreed() } else { isAgreed = false }
    }

    private mutating func becomeAgreed() {
        guard !isAgreed else { return }
        isAgreed = true
        report(.agreed)
    }
}
