//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCore
package import HeadroomPlatform
import Synchronization
import SystemPackage

/// A value that comes bit by bit; under its key once it is whole.
///
/// Of one thread at a time. What is not committed is never seen, and removed with this object.
package final class StoreWriter {
    private let core: StoreCore
    private var draft: RecordDraft
    private let attributes: CacheAttributes
    private let key: [UInt8]
    /// Of a value that is short enough up to now to be packed with others.
    private var buffer: [UInt8] = []
    private var file: (file: SharedFile, name: String)?
    private var count = 0
    private var sum = CRC32C()
    /// Counted as being written.
    private var held: Int64 = 0
    /// More than what there is of it, or half of that, is not held beforehand.
    static let longestStep: Int64 = 16 << 20
    private var isDone = false
    private var isCommitted = false
    /// Why it could not be entered.
    private var failure: Errno?

    init(
        _ core: StoreCore, _ key: RawSpan, _ attributes: CacheAttributes
    ) {
        self.core = core
        self.attributes = attributes
        self.key = unsafe key.withUnsafeBytes { unsafe Array($0) }
        draft = RecordDraft(key, attributes, at: core.tick(), core.identity)
    }

    deinit { if !isDone { cancel() } }

    /// Adds the next bytes of the value.
    ///
    /// - Throws: `storeFull`, `noSpace`; the value is given up then.
    package func append(_ bytes: RawSpan) throws(HeadroomError) {
        guard !isDone else {
            throw HeadroomError(
                .invalid, "A value that was committed or cancelled cannot be added to.")
        }
        guard count + bytes.byteCount < core.valueLimit else {
            cancel()
            throw core.tooLong(count + bytes.byteCount)
        }
        do {
            try core.orExplain(bytes.byteCount) { () throws(Errno) in
                try take(bytes)
            }
        } catch {
            cancel()
            throw error
        }
    }

    /// So many bytes are going to come: nothing goes for what will be refused.
    ///
    /// - Throws: `invalid` if they are too many; the value is given up then.
    package func expect(_ bytes: ByteCount) throws(HeadroomError) {
        let count = Int(clamping: bytes.bytes)
        guard count < core.valueLimit else {
            cancel()
            throw core.tooLong(count)
        }
    }

    private func take(_ bytes: RawSpan) throws(Errno) {
        if file == nil, count + bytes.byteCount <= core.smallValueLimit {
            unsafe bytes.withUnsafeBytes { unsafe buffer.append(contentsOf: $0) }
            count += bytes.byteCount
            return
        }
        // Each step stands for itself: it is done again where there was no room for it.
        try hold(count + bytes.byteCount)
        if file == nil { file = try core.makeFile(&draft) }
        if !buffer.isEmpty {
            let front = buffer
            try unsafe write(front.span.bytes, at: 0)
            unsafe sum.update(front.span.bytes)
            buffer = []
        }
        try write(bytes, at: count)
        sum.update(bytes)
        count += bytes.byteCount
    }

    private func write(_ bytes: RawSpan, at offset: Int) throws(Errno) {
        try file?.file.write(bytes, RawSpan(), at: UInt64(offset))
    }

    /// Makes sure that a file with so much of the value is within the limit.
    private func hold(_ count: Int) throws(Errno) {
        draft.setValue(count: count, sum: 0)
        let wanted = draft.entry(at: 0, isFile: true).fileAllocated
        guard wanted > held else { return }
        // In steps that grow with it, so that it is asked for seldom.
        let more = max(wanted - held, min(held / 2, Self.longestStep))
        try core.hold(more)
        held += more
    }

    /// Puts what was added under the key; once.
    ///
    /// - Throws: `storeFull`, `noSpace`; `invalid` if the value has been given up.
    package func commit() throws(HeadroomError) {
        if isCommitted { return }
        guard !isDone else {
            throw HeadroomError(
                .invalid, "A value that was cancelled, or could not be added to, cannot be put.")
        }
        if file == nil {
            isDone = true
            let (value, key) = (buffer, key)
            try unsafe core.put(value.span.bytes, under: key.span.bytes, attributes)
            isCommitted = true
            return
        }
        do {
            try core.orExplain(0) { () throws(Errno) in try complete() }
            isCommitted = true
        } catch {
            cancel()
            throw error
        }
    }

    private func complete() throws(Errno) {
        if let failure { throw failure }
        guard let file, !isDone else { return }
        draft.setValue(count: count, sum: sum.value)
        // It is put now, and later than all that was put while it came.
        draft.header.sequence = core.nextSequence()
        draft.begin(at: core.tick(), lifetime: attributes.lifetime)
        let back = draft.encoded(at: UInt64(count))
        try unsafe file.file.write(back.span.bytes, RawSpan(), at: UInt64(count))
        try core.finish(file.file)
        let entry = draft.entry(at: draft.header.container, isFile: true)
        core.letGo(held - entry.fileAllocated)
        held = 0
        isDone = true
        // Whatever becomes of it: it may be found under its key now.
        self.file = nil
        do throws(Errno) {
            try core.enter(draft, in: file.file)
        } catch {
            failure = error
            throw error
        }
    }

    /// Gives it up.
    package func cancel() {
        if file != nil { core.giveUp(draft.header.container) }
        file = nil
        core.letGo(held)
        held = 0
        isDone = true
    }
}

extension StoreCore {
    /// Begins a value that comes bit by bit.
    ///
    /// - Throws: `noSpace` for what is optional on a volume that is low; `invalid` for a key that is too long.
    package func write(
        _ key: RawSpan, _ attributes: CacheAttributes = CacheAttributes()
    ) throws(HeadroomError) -> StoreWriter {
        try check(RawSpan(), key, attributes)
        try orExplain(0) { () throws(Errno) in
            try heedPressure(isOptional: attributes.isOptional, at: clock())
        }
        return StoreWriter(self, key, attributes)
    }
}
