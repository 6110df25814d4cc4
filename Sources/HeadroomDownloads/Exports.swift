//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The type of `DownloadRequest.expected`.
@_exported public import struct HeadroomPlatform.SHA256Digest
