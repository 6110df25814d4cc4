//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dispatch
import Foundation
import HeadroomPlatform
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The one session of the process.
///
/// On Linux sessions that are made and thrown away race with each other in libcurl and its TLS
/// library (swift-corelibs-foundation #5016, #5321, #5469); one that stays does not.
struct HTTPSession: Sendable {
    static let shared = HTTPSession()

    private let delegate: HTTPDelegate
    private let session: URLSession
    /// Starting and cancelling wait for the session's own queue, which may wait for the disk: never
    /// on a thread of the cooperative pool.
    private let control = DispatchQueue(label: "headroom.downloads.control")

    private init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpMaximumConnectionsPerHost = 6
        #if canImport(Darwin)
        let queue = OperationQueue()
        #else
        let queue = BoundedQueue()
        #endif
        queue.maxConcurrentOperationCount = 1
        delegate = HTTPDelegate()
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
    }

    /// Sends a request and hands the response to the exchange; returns at its end.
    ///
    /// When the task is cancelled, or nothing comes for the timeout, the transfer is stopped.
    func run(
        _ request: URLRequest, _ receiver: any ResponseReceiver, stallTimeout: Duration
    ) async -> HTTPExchange.Ending {
        let exchange = HTTPExchange(receiver)
        return await withTaskGroup(of: Void.self) { group in
            group.addTask { await exchange.watch(for: stallTimeout) { stop(exchange, $0) } }
            let ending = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    start(exchange, request, continuation)
                }
            } onCancel: {
                stop(exchange, .cancelled)
            }
            group.cancelAll()
            return ending
        }
    }

    private func start(
        _ exchange: HTTPExchange, _ request: URLRequest,
        _ continuation: CheckedContinuation<HTTPExchange.Ending, Never>
    ) {
        control.async {
            let task = session.dataTask(with: request)
            delegate.add(exchange, for: task) { stop(exchange, $0) }
            let isStopped = exchange.begin(task, continuation)
            task.resume()
            // A task that was never started would stay in the session for ever.
            if isStopped { task.cancel() }
        }
    }

    private func stop(_ exchange: HTTPExchange, _ reason: HTTPExchange.Stop) {
        exchange.stop(reason)
        control.async { exchange.task?.cancel() }
    }
}

/// Passes the callbacks of the session on to the exchanges.
private final class HTTPDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private struct Entry {
        var exchange: HTTPExchange
        var stop: @Sendable (HTTPExchange.Stop) -> Void
    }

    private let entries = Mutex<[Int: Entry]>([:])

    func add(
        _ exchange: HTTPExchange, for task: URLSessionTask,
        stop: @escaping @Sendable (HTTPExchange.Stop) -> Void
    ) {
        entries.withLock { $0[task.taskIdentifier] = Entry(exchange: exchange, stop: stop) }
    }

    private func entry(_ task: URLSessionTask) -> Entry? {
        entries.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        let entry = entry(dataTask)
        let goesOn = entry?.exchange.receive(response) ?? false
        // Linux ignores the answer.
        completionHandler(goesOn ? .allow : .cancel)
        if !goesOn { entry?.stop(.unwanted) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard let entry = entry(dataTask) else { return }
        if !entry.exchange.receive(data) { entry.stop(.unwanted) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        guard let entry = entry(task) else { return completionHandler(nil) }
        entry.exchange.redirect(from: response.url, to: request, completionHandler)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        let entry = entries.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        entry?.exchange.end(error)
    }
}
