//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

extension DirectoryRecord.Flags {
    /// The flags that a file gives its directory by the end of its name.
    ///
    /// Called for each file of a scan: nearly all names are rejected by their last byte, and by where the dot is.
    @inline(__always)
    static func byEnding(of name: EntryName, _ record: ItemRecord) -> Self {
        let count = name.count
        guard count > 3 else { return [] }
        /// Whether an extension of so many bytes, the dot included, starts with a letter.
        @inline(__always)
        func has(_ length: Int, _ letter: CChar) -> Bool {
            unsafe count > length && name.base[count &- length] == 0x2E
                && name.base[count &- length &+ 1] == letter
        }
        let mayMatch: Bool
        switch unsafe name.base[count &- 1] {
        case 0x66: mayMatch = has(5, 0x67) || has(4, 0x73)  // gguf, sif
        case 0x6C: mayMatch = has(5, 0x67)  // ggml
        // safetensors, keras, pdparams
        case 0x73: mayMatch = has(12, 0x73) || has(6, 0x6B) || has(9, 0x70)
        case 0x74: mayMatch = has(3, 0x70) || has(5, 0x63) || has(8, 0x70)  // pt, ckpt, parquet
        case 0x68: mayMatch = has(4, 0x70)  // pth
        case 0x78: mayMatch = has(5, 0x6F) || has(5, 0x76)  // onnx, vhdx
        case 0x6E: mayMatch = has(4, 0x62)  // bin
        case 0x77: mayMatch = has(6, 0x61) || has(4, 0x72)  // arrow, raw
        case 0x6B: mayMatch = has(5, 0x76) || has(8, 0x6D)  // vmdk, msgpack
        case 0x6F: mayMatch = has(5, 0x6E)  // nemo
        case 0x62: mayMatch = has(7, 0x6A)  // joblib
        case 0x6A: mayMatch = has(4, 0x75)  // ubj
        case 0x6D: mayMatch = has(4, 0x63)  // cbm
        case 0x69, 0x64: mayMatch = has(4, 0x76) || has(3, 0x64)  // vdi, vhd, dd
        case 0x61: mayMatch = has(4, 0x6F)  // ova
        case 0x67: mayMatch = has(4, 0x69)  // img
        case 0x65: mayMatch = has(8, 0x74)  // tfstate
        case 0x30...0x39:  // h5, qcow2, ext4, -00001-of-00002
            let isPart = unsafe count > 15 && name.base[count &- 6] == 0x2D
            mayMatch = isPart || has(3, 0x68) || has(6, 0x71) || has(5, 0x65)
        default: return []
        }
        return mayMatch ? ending(of: name, record) : []
    }

    @inline(never)
    private static func ending(of name: EntryName, _ record: ItemRecord) -> Self {
        guard record.type == .regular || record.type == .symbolicLink else { return [] }
        let isPart = ShardName.matches(name)
        let flags = kind(of: name, record)
        return isPart ? flags.union(.hasShards) : flags
    }

    private static func kind(of name: EntryName, _ record: ItemRecord) -> Self {
        let bytes = unsafe name.bytes
        func ends(with text: StaticString) -> Bool {
            let ending = unsafe UnsafeBufferPointer(
                start: text.utf8Start, count: text.utf8CodeUnitCount)
            return unsafe bytes.count > ending.count
                && bytes.suffix(ending.count).elementsEqual(ending)
        }
        let weights: [StaticString] = [
            ".gguf", ".safetensors", ".ckpt", ".onnx", ".keras", ".ggml", ".nemo", ".pdparams",
            ".ubj", ".cbm",
        ]
        if weights.contains(where: ends) { return .hasWeights }
        // Python's lists of paths are called .pth, templates .pt: all of them are small.
        let ambiguous: [StaticString] = [".pt", ".pth", ".h5", ".msgpack", ".joblib"]
        if record.logical >= 4096, ambiguous.contains(where: ends) { return .hasWeights }
        if ends(with: ".bin") {
            // pytorch_model.bin, ggml-base.en.bin
            let isGGML = unsafe bytes.starts(with: Array("ggml-".utf8))
            let isModel = isGGML || ends(with: "_model.bin") || name.isEqual("model.bin")
            return isModel ? .hasWeights : []
        }
        let images: [StaticString] = [".qcow2", ".vmdk", ".vdi", ".ova", ".sif", ".vhd", ".vhdx"]
        if images.contains(where: ends) { return .hasDiskImage }
        // Smaller ones are pictures and firmware.
        let ambiguousImages: [StaticString] = [".img", ".raw", ".dd", ".ext4"]
        if record.logical >= 1 << 20, ambiguousImages.contains(where: ends) { return .hasDiskImage }
        return ends(with: ".tfstate") ? .hasStateFile : []
    }
}
