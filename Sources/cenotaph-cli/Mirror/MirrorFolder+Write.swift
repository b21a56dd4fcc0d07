import CFiles
import Cenotaph
import Glibc

extension MirrorFolder {
    /// Writes a file as a whole or not at all, and returns its stamp.
    ///
    /// The body goes to a temporary file beside it, to the disk, and takes the file's place by a rename. What is there
    /// must be what `expected` says, `nil` for nothing; the old file is looked at once more after the exchange, and put
    /// back if it was written in the last moment.
    func write(
        _ body: [UInt8], to file: MirrorPath, expecting expected: FileStamp?
    ) throws(Obstacle) -> FileStamp {
        let path = whole(file.bytes)
        let folder = try parent(of: file, making: true)
        let temporary = temporaryName()
        do {
            try writeTemporary(
                body, temporary, in: folder, permissions: expected?.permissions, path)
            if let expected {
                try exchange(temporary, file.name, in: folder, expecting: expected, path)
            } else {
                try place(temporary, file.name, in: folder, path)
            }
            fsync(folder.number)
            guard let status = try folder.status(of: file.name, path), status.isFile else {
                throw Obstacle.changed
            }
            return FileStamp(status)
        } catch {
            remove(temporary, in: folder)
            throw MirrorFolder.obstacle(error)
        }
    }

    /// Removes a file that is what `expected` says, and the folders that it leaves empty.
    func remove(_ file: MirrorPath, expecting expected: FileStamp) throws(Obstacle) {
        let path = whole(file.bytes)
        let folder = try parent(of: file, making: false)
        let aside = temporaryName()
        do {
            guard let found = try folder.status(of: file.name, path),
                FileStamp(found) == expected
            else { throw Obstacle.changed }
            try rename(file.name, aside, in: folder, cenotaph_noreplace, path)
            let moved = try folder.status(of: aside, path).map(FileStamp.init)
            guard moved?.hasSameContents(as: expected) == true else {
                try putBack(aside, file.name, in: folder, path)
                throw Obstacle.changed
            }
            remove(aside, in: folder)
            fsync(folder.number)
        } catch {
            throw MirrorFolder.obstacle(error)
        }
        removeEmptyFolders(above: file)
    }

    /// Gives a file its name back, or one beside it if another file has that name by now.
    private func putBack(
        _ aside: [UInt8], _ name: [UInt8], in folder: borrowing Descriptor, _ path: [UInt8]
    ) throws {
        do {
            try rename(aside, name, in: folder, cenotaph_noreplace, path)
        } catch Obstacle.changed {
            let other =
                Array(name.prefix(230)) + Array(".kept".utf8)
                + aside.dropFirst(temporary.count)
            try rename(aside, other, in: folder, cenotaph_noreplace, path)
        }
    }

    private func removeEmptyFolders(above file: MirrorPath) {
        var components = Array(file.folders)
        while let name = components.last {
            let keyBytes = Array(components.joined(separator: [UInt8(ascii: "/")]))
            guard let key = try? Key(keyBytes), let folder = try? MirrorPath(key),
                let parent = try? parent(of: folder, making: false)
            else { return }
            // Fails for a folder that is not empty, as it should.
            let removed = unsafe File.withPath(name) {
                unsafe unlinkat(parent.number, $0, AT_REMOVEDIR)
            }
            guard removed == 0 else { return }
            components.removeLast()
        }
    }

    /// Removes a temporary file of this or an earlier run.
    func remove(_ temporary: [UInt8], in folder: borrowing Descriptor) {
        unsafe _ = File.withPath(temporary) { unsafe unlinkat(folder.number, $0, 0) }
    }

    private func writeTemporary(
        _ body: [UInt8], _ name: [UInt8], in folder: borrowing Descriptor, permissions: mode_t?,
        _ path: [UInt8]
    ) throws {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let opened = unsafe File.withPath(name) { unsafe openat(folder.number, $0, flags, 0o666) }
        let descriptor = try Descriptor(opened, "write", path)
        if let permissions { fchmod(descriptor.number, permissions) }
        guard System.write(body, to: descriptor.number), fsync(descriptor.number) == 0 else {
            throw FileError("write", path)
        }
    }

    /// Gives a temporary file its name, if nothing has that name.
    private func place(
        _ temporary: [UInt8], _ name: [UInt8], in folder: borrowing Descriptor, _ path: [UInt8]
    ) throws {
        if let found = try folder.status(of: name, path), !found.isFile {
            throw Obstacle.obstructed("something that is no file is there")
        }
        try rename(temporary, name, in: folder, cenotaph_noreplace, path)
    }

    /// Puts a temporary file in the place of a file, if that one is as expected to the last moment.
    private func exchange(
        _ temporary: [UInt8], _ name: [UInt8], in folder: borrowing Descriptor,
        expecting expected: FileStamp, _ path: [UInt8]
    ) throws {
        guard let found = try folder.status(of: name, path), FileStamp(found) == expected else {
            throw Obstacle.changed
        }
        if try rename(temporary, name, in: folder, cenotaph_exchange, path) {
            let old = try folder.status(of: temporary, path).map(FileStamp.init)
            guard old?.hasSameContents(as: expected) == true else {
                try rename(temporary, name, in: folder, cenotaph_exchange, path)
                throw Obstacle.changed
            }
            remove(temporary, in: folder)
        }
    }

    /// Renames, and returns whether the file system could do it in just that way.
    @discardableResult
    private func rename(
        _ from: [UInt8], _ to: [UInt8], in folder: borrowing Descriptor, _ way: Int,
        _ path: [UInt8]
    ) throws -> Bool {
        let error = unsafe File.withPath(from) { from in
            unsafe File.withPath(to) { to in
                unsafe cenotaph_rename(folder.number, from, to, UInt32(way))
            }
        }
        if error == 0 { return true }
        guard cenotaph_cannot_rename(error) != 0 else {
            throw error == EEXIST ? Obstacle.changed : FileError("rename", path, number: error)
        }
        let isFree = try folder.status(of: to, path) == nil
        guard isFree || way == cenotaph_exchange else { throw Obstacle.changed }
        let plain = unsafe File.withPath(from) { from in
            unsafe File.withPath(to) { to in
                unsafe renameat(folder.number, from, folder.number, to)
            }
        }
        guard plain == 0 else { throw FileError("rename", path) }
        return false
    }

    private static func obstacle(_ error: any Error) -> Obstacle {
        switch error {
        case let obstacle as Obstacle: obstacle
        case let error as FileError: error.number == ENOENT ? .changed : .failed(error)
        default: preconditionFailure("no other error")
        }
    }
}
