public import CenotaphSeal
public import CenotaphWire

extension Session {
    /// Opens, decodes and takes a sealed frame, and returns the frames to send; see `receive(_:_:)`.
    ///
    /// Bytes that do not open or decode change nothing and are reported.
    /// - Throws: the store's failure.
    public mutating func receive<Store: ReconcileStore>(
        sealed: [UInt8], with keys: FleetKeys, _ store: Store
    ) throws(Store.Failure) -> [Frame] {
        let plain: [UInt8]
        do {
            plain = try Envelope.open(sealed, with: keys)
        } catch {
            report(.dropped(error))
            return []
        }
        let frame: Frame?
        do {
            frame = try Frame.decode(plain)
        } catch {
            return refuse(undecodable: plain, error, store.epoch)
        }
        guard let frame else { return [] }
        return try receive(frame, store)
    }

    /// Drops bytes that opened but did not decode; the error to send back where Spec SYNC-006 allows one.
    private mutating func refuse(
        undecodable plain: [UInt8], _ error: WireError, _ epoch: ID16
    ) -> [Frame] {
        // The header was read before the body was, unless the kind or the header itself is at fault.
        let isHeaderRead = plain.count >= Frame.headerSize
        let own = identity.replica.id.encoded()
        var error = error
        var isMine = true
        if isHeaderRead, plain[1..<17].elementsEqual(own) {
            if error.rule != .kindKnown { error = WireError(.unexpected, .ownFrame) }
            isMine = false
        } else if isHeaderRead, plain[17..<33].contains(where: { $0 != 0 }),
            !plain[17..<33].elementsEqual(own)
        {
            if error.rule != .kindKnown { error = WireError(.unexpected, .otherRecipient) }
            isMine = false
        }
        report(.dropped(error))
        guard isMine, plain.first != FrameKind.error.rawValue, let peer else { return [] }
        return [frame(.error(ErrorReport(error)), to: peer.id, epoch)]
    }
}
