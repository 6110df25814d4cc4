//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Hummingbird

extension ServiceMetrics {
    /// Answers `GET /metrics` with the metrics, in the form that the reader asks for.
    public func addRoute<Context: RequestContext>(to router: Router<Context>) {
        router.get("metrics") { request, _ -> Response in
            let text = self.text(accept: request.headers[.accept])
            return Response(
                status: .ok,
                headers: [.contentType: text.contentType, .cacheControl: "no-store"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: text.body)))
        }
    }
}
