import Foundation
import HikyakuHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Hears what happens to the session's tasks and hands it to their exchanges.
///
/// The session calls it in one queue, one call at a time.
final class SessionDelegate: NSObject, URLSessionDataDelegate {
    private let exchanges: ExchangeTable

    init(exchanges: ExchangeTable) {
        self.exchanges = exchanges
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void,
    ) {
        if let response = response as? HTTPURLResponse {
            exchanges.exchange(of: dataTask)?.didReceive(response)
        }
        // An exchange that refused has its task cancelled by itself.
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchanges.exchange(of: dataTask)?.didReceive(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        exchanges.remove(task)?.didComplete(with: error, finalResponse: task.response)
    }

    /// Follows nothing: the 3xx becomes the response.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void,
    ) {
        #if !canImport(Darwin)
        // Here an answer for a task that was cancelled stops the process. Tasks are cancelled in this queue alone, so
        // the state can't change before the answer is noted.
        guard task.state == .running else { return }
        #endif
        completionHandler(nil)
    }

    /// Leaves trust in the server to the system, and answers nothing that asks for a credential.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void,
    ) {
        #if canImport(Darwin)
        let asksForCredential = Self.credentialMethods.contains(challenge.protectionSpace.authenticationMethod)
        completionHandler(asksForCredential ? .rejectProtectionSpace : .performDefaultHandling, nil)
        #else
        // Here default handling waits for ever, and every other answer ends the task as cancelled. It is asked when
        // the whole 401 is there.
        exchanges.exchange(of: task)?.didReceiveWholeResponse()
        completionHandler(.cancelAuthenticationChallenge, nil)
        #endif
    }

    #if canImport(Darwin)
    /// What a 401 or 407 asks for; trust in the server and certificates of the client are not among them.
    private static let credentialMethods: Set<String> = [
        NSURLAuthenticationMethodDefault, NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest,
        NSURLAuthenticationMethodHTMLForm, NSURLAuthenticationMethodNTLM, NSURLAuthenticationMethodNegotiate,
    ]
    #endif
}
