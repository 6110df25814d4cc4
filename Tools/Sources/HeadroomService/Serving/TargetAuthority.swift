//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Puts the authority of an absolute request target in the place of the header `Host`, as RFC 9112, section 3.2.2
/// demands, so that ``OwnHostOnly`` sees the host that was really meant.
///
/// It works before the conversion to HTTP types, which keeps only the path of such a target.
final class TargetAuthority: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // A request without exactly one Host is rejected later, regardless of its target.
        guard case .head(var head) = unwrapInboundIn(data), !head.uri.hasPrefix("/"),
            head.uri != "*", head.headers["Host"].count == 1
        else { return context.fireChannelRead(data) }
        // mutation: r38a-2
        head.headers.replaceOrAdd(name: "Host", value: Self.authority(of: head.uri))
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    /// The authority of a target with the scheme `http`. Any other target as it is: it is the name of no host.
    static func authority(of target: String) -> String {
        let scheme = "http://"
        guard target.lowercased().hasPrefix(scheme) else { return target }
        return String(target.dropFirst(scheme.count).prefix { !"/?#".contains($0) })
    }
}

/// Adds a ``TargetAuthority`` to a connection, at its place.
final class TargetAuthorityInstaller: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    func handlerAdded(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        do {
            let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
            try pipeline.addHandler(TargetAuthority(), position: .before(codec))
        } catch {
            // Without the check, no request may be answered.
            context.close(promise: nil)
        }
    }
}
