//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Written by Scripts/embed-catalogue from Data/Leftovers/temporary.leftovers: change that.

/// Names of what frameworks leave in a temporary directory.
package enum EmbeddedLeftovers {
    package static let temporary = #"""
        CFNetworkDownload_*.tmp
        WKWebFileUpload*
        WKVideoUpload*
        NSIRD_*
        (A Document Being Saved By *)
        （*正在存储文稿*）
        (*正在存储文稿*)
        (*이(가) 문서 저장 중*)
        (Un documento siendo guardado por *)
        """#
}
