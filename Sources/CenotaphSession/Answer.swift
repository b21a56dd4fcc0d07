internal import CenotaphDigest
internal import CenotaphMerge
internal import CenotaphWire

/// Answers one request from one snapshot, and keeps nothing (Spec SYNC-021, SYNC-023).
struct Answer<Store: ReconcileStore> {
    private let store: Store
    private let request: ReconcileRequest
    private let budget: Int
    private var packer: DeltaPacker
    /// Where the answer stopped early.
    private var stopped: Key?

    /// Answers at most about `budget` bytes; the caller has checked the namespace.
    static func parts(
        to request: ReconcileRequest, policy: Policy, from store: Store, budget: Int
    ) throws(Store.Failure) -> [Delta] {
        var answer = Answer(
            store: store, request: request, budget: budget,
            packer: DeltaPacker(
                request: request.request, namespace: request.namespace, set: request.set,
                rowType: policy.rowType(in: request.set)))
        return try answer.run()
    }

    private mutating func run() throws(Store.Failure) -> [Delta] {
        let ranges = request.ranges.ranges
        for (range, content) in ranges where stopped == nil {
            switch content {
            case .fingerprint(let tag): try answer(range, tag)
            case .items(let items): try answer(range, items)
            case .keys(let keys): try answer(keys)
            case .all: try answer(range, [])
            case .skip, .unanswered: break
            }
            if stopped == nil, packer.total >= budget { stopped = range.high }
        }
        if let stopped, let end = ranges.last?.range.high, !(stopped < end) {
            return packer.finish()
        }
        if let stopped {
            let left = KeyRange(from: stopped, to: ranges.last?.range.high)
            packer.addClaims { claims in
                var claims = claims
                claims.append(left, .unanswered)
                return claims
            }
        }
        return packer.finish()
    }

    private mutating func answer(
        _ range: KeyRange, _ tag: ID16
    ) throws(Store.Failure) {
        let own = try store.sum(request.namespace, request.set, range)
        let key = try store.key(of: request.namespace)
        guard own.fingerprint(request.set, key).tag != tag else { return }
        let (store, request) = (store, request)
        try packer.addClaims { (claims) throws(Store.Failure) in
            try store.describe(
                request.namespace, request.set, range, appendingTo: claims, count: own.count)
        }
    }

    private mutating func answer(
        _ range: KeyRange, _ items: [RangeItem]
    ) throws(Store.Failure) {
        var listed = items[...]
        var next: Key?
        try store.forEachRow(request.namespace, request.set, range) { row, leaf in
            while let first = listed.first, first.key < row.key { listed.removeFirst() }
            if let first = listed.first, first.key == row.key, first.tag == leaf.tag { return true }
            guard packer.total < budget else {
                next = row.key
                return false
            }
            packer.add(row)
            return true
        }
        stopped = next
    }

    private mutating func answer(_ keys: [Key]) throws(Store.Failure) {
        for key in keys {
            guard packer.total < budget else {
                stopped = key
                return
            }
            if let row = try store.row(request.namespace, request.set, key) { packer.add(row) }
        }
    }
}
