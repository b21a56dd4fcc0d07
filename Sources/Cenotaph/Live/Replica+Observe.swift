public import CenotaphStore
public import CenotaphWire

extension Replica {
    /// Takes in what an app shows now: new and edited rows become writes, missing ones deletes.
    ///
    /// See `WriteTransaction.observe(_:_:_:)`.
    /// - Throws: `GateError`.
    @discardableResult
    public func observe(
        _ namespace: NamespaceName, _ listing: Listing,
        _ options: ObserveOptions = ObserveOptions()
    ) throws -> ObserveReport {
        try write { try $0.observe(namespace, listing, options) }
    }

    /// The events that hold back deletes, oldest first.
    /// - Throws: `GateError`.
    public func heldDeletes() throws -> [HeldDeletes] { try read { try $0.heldDeletes() } }

    /// Deletes the rows of an event that have not changed since, and ends the event.
    ///
    /// See `WriteTransaction.approve(heldDeletes:)`.
    /// - Throws: `GateError`.
    @discardableResult
    public func approve(heldDeletes event: UInt64) throws -> ApproveReport {
        try write { try $0.approve(heldDeletes: event) }
    }

    /// Ends an event without deleting anything.
    ///
    /// See `WriteTransaction.undo(heldDeletes:)`.
    /// - Throws: `GateError`.
    @discardableResult
    public func undo(heldDeletes event: UInt64) throws -> [Key] {
        try write { try $0.undo(heldDeletes: event) }
    }
}
