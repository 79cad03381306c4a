import Foundation
import HikyakuBase
import HikyakuHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#else
import Dispatch
#endif

/// Receives the events of the session's tasks and passes them to their exchanges.
///
/// The session calls it on one queue, one call at a time.
final class SessionDelegate: NSObject, URLSessionDataDelegate {
    private let exchanges: ExchangeTable
    /// `nil` leaves all to the system.
    private let rules: TLSRules?

    init(exchanges: ExchangeTable, rules: TLSRules?) {
        self.exchanges = exchanges
        self.rules = rules
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void,
    ) {
        if let response = response as? HTTPURLResponse {
            exchanges.exchange(of: dataTask)?.didReceive(response, flow: Self.flow(of: dataTask, in: session))
        }
        // An exchange that rejects the response cancels its task itself.
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchanges.exchange(of: dataTask)?.didReceive(data)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64,
    ) {
        exchanges.exchange(of: task)?.didSend(totalBytesSent, of: totalBytesExpectedToSend)
    }

    /// Provides a new stream for a body that can be sent again, for example after a kept connection that was stale.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void,
    ) {
        #if canImport(Darwin)
        completionHandler(exchanges.exchange(of: task)?.makeBodyStream())
        #else
        // A body is never a stream here.
        completionHandler(nil)
        #endif
    }

    #if canImport(Darwin)
    /// Suspends and resumes a task in the delegate's queue, which keeps the order of the two.
    private static func flow(of task: URLSessionTask, in session: URLSession) -> DownloadStream.Flow {
        let queue = session.delegateQueue
        let isSuspended = Lock(false)
        return { isHeld in
            queue.addOperation {
                let isHeld = isHeld()
                let changes = isSuspended.withLock { state in
                    defer { state = isHeld }
                    return state != isHeld
                }
                guard changes, task.state == .running || task.state == .suspended else { return }
                if isHeld { task.suspend() } else { task.resume() }
            }
        }
    }
    #else
    /// Suspends nothing: on Linux a task that was suspended during its response doesn't continue.
    private static func flow(of task: URLSessionTask, in session: URLSession) -> DownloadStream.Flow { { _ in } }
    #endif

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        exchanges.remove(task)?.didComplete(with: error, finalResponse: task.response)
    }

    /// Follows no redirect: the 3xx becomes the response.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void,
    ) {
        #if !canImport(Darwin)
        // On Linux, calling the completion handler for a cancelled task crashes the process. Tasks are cancelled only
        // in this queue, so the state can't change before the completion handler is called.
        guard task.state == .running else { return }
        #endif
        completionHandler(nil)
    }

    #if canImport(Darwin)
    /// Emits interim responses, such as 103 with links that can be loaded early.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceiveInformationalResponse response: HTTPURLResponse,
    ) {
        exchanges.exchange(of: task)?.didReceiveInterim(response)
    }

    /// Emits that there is no network, if the configuration waits for one.
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        exchanges.exchange(of: task)?.didBeginWaitingForConnectivity()
    }

    /// Comes before the end of the task.
    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        guard let exchange = exchanges.exchange(of: task), let record = ConnectionRecord(metrics) else { return }
        exchange.didCollect(record)
        if let name = record.protocolName { exchanges.note(name, of: exchange) }
    }

    /// Provides no password; trust in a server and client certificates are as ``TLSOptions`` say.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void,
    ) {
        if Self.passwordMethods.contains(challenge.protectionSpace.authenticationMethod) {
            return completionHandler(.rejectProtectionSpace, nil)
        }
        guard let rules else { return completionHandler(.performDefaultHandling, nil) }
        let exchange = exchanges.exchange(of: task)
        DispatchQueue.global(qos: .userInitiated).async {
            let (disposition, credential, error) = rules.answer(challenge)
            // Before the task is cancelled, whose own error says nothing.
            if let error { exchange?.finish(.failure(error)) }
            completionHandler(disposition, credential)
        }
    }

    /// The authentication methods of a 401 or 407.
    private static let passwordMethods: Set<String> = [
        NSURLAuthenticationMethodDefault, NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest,
        NSURLAuthenticationMethodHTMLForm, NSURLAuthenticationMethodNTLM, NSURLAuthenticationMethodNegotiate,
    ]
    #else
    /// Provides no credential.
    ///
    /// On Linux, default handling waits forever, and every other disposition cancels the task. This method is called
    /// when the whole 401 has been received.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void,
    ) {
        exchanges.exchange(of: task)?.didReceiveWholeResponse()
        completionHandler(.cancelAuthenticationChallenge, nil)
    }
    #endif
}
