import Foundation
import HikyakuHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The keys and domains by which Apple's frameworks report an error of a lower layer.
enum SystemError {
    static let streamDomainKey = "_kCFStreamErrorDomainKey"
    static let streamCodeKey = "_kCFStreamErrorCodeKey"
    /// Why no network could be used.
    #if canImport(Darwin)
    static let unavailableReasonKey = NSURLErrorNetworkUnavailableReasonKey
    #else
    static let unavailableReasonKey = "NSURLErrorNetworkUnavailableReasonKey"
    #endif
    static let cfNetworkDomain = "kCFErrorDomainCFNetwork"
    /// How many errors of a chain of underlying errors are checked.
    static let depthMax = 4

    fileprivate static let posixStream = 1
    fileprivate static let tlsStream = 3
}

/// What the underlying errors of a `URLError` mean; `nil` if they are not more exact than its code.
func meaningBelow(_ error: URLError, at stage: ExchangeStage) -> FailureMeaning? {
    for layer in layers(of: error as NSError) {
        if layer.domain == SystemError.cfNetworkDomain, let meaning = meaningOfProxy(layer.code) { return meaning }
        switch error.code {
        case .cannotConnectToHost:
            guard let number = posixNumber(of: layer) else { continue }
            return meaningOfConnecting(number) ?? Meaning.notConnected
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateNotYetValid,
            .serverCertificateUntrusted, .serverCertificateHasUnknownRoot:
            guard let code = streamCode(of: layer, in: SystemError.tlsStream) else { continue }
            if let meaning = meaning(ofSecureTransport: code) { return meaning }
        default: continue
        }
    }
    return nil
}

/// What an error means that isn't a `URLError`; `nil` if it is unknown.
func meaning(ofSystemError error: NSError, at stage: ExchangeStage) -> FailureMeaning? {
    switch error.domain {
    case NSPOSIXErrorDomain: meaning(ofPOSIX: error.code, at: stage)
    case SystemError.cfNetworkDomain: meaningOfProxy(error.code) ?? meaning(ofCFNetwork: error.code, at: stage)
    default: nil
    }
}

// MARK: - Layers

private func layers(of error: NSError) -> [NSError] {
    var layers = [error]
    while layers.count < SystemError.depthMax, let below = layers.last?.userInfo[NSUnderlyingErrorKey] as? NSError {
        layers.append(below)
    }
    return layers
}

private func posixNumber(of layer: NSError) -> Int? {
    layer.domain == NSPOSIXErrorDomain ? layer.code : streamCode(of: layer, in: SystemError.posixStream)
}

private func streamCode(of layer: NSError, in domain: Int) -> Int? {
    guard layer.userInfo[SystemError.streamDomainKey] as? Int == domain else { return nil }
    return layer.userInfo[SystemError.streamCodeKey] as? Int
}

// MARK: - Codes

/// What the number of an error means that has kept a connection from being opened, so that nothing was sent.
private func meaningOfConnecting(_ number: Int) -> FailureMeaning? {
    switch Int32(exactly: number).flatMap({ POSIXErrorCode(rawValue: $0) }) {
    case .ECONNREFUSED: Meaning.refused
    case .ENETUNREACH, .EHOSTUNREACH, .ENETDOWN, .EHOSTDOWN: Meaning.unreachable
    case .ETIMEDOUT: Meaning.connectTimeout
    case .ECONNRESET, .ECONNABORTED, .EPIPE, .ENOTCONN: lostConnection(at: .connecting)
    default: nil
    }
}

/// What the number of an error means that may also be one of an open connection: only a refusal is certainly none.
private func meaning(ofPOSIX number: Int, at stage: ExchangeStage) -> FailureMeaning? {
    switch Int32(exactly: number).flatMap({ POSIXErrorCode(rawValue: $0) }) {
    case .ECONNREFUSED: Meaning.refused
    case .ETIMEDOUT: timeout(at: stage)
    case .ENETUNREACH, .EHOSTUNREACH, .ENETDOWN, .EHOSTDOWN, .ECONNRESET, .ECONNABORTED, .EPIPE, .ENOTCONN:
        lostConnection(at: stage)
    default: nil
    }
}

/// What a code of Secure Transport means; the system reports these even if another library implements TLS.
private func meaning(ofSecureTransport code: Int) -> FailureMeaning? {
    switch code {
    case -9843: Meaning.wrongHost
    case -9814: Meaning.expired
    case -9815: Meaning.notYetValid
    case -9812, -9813: Meaning.untrusted
    default: nil
    }
}

/// What CFNetwork's codes for SOCKS and HTTP proxies mean.
private func meaningOfProxy(_ code: Int) -> FailureMeaning? {
    switch code {
    case 100...124, 306...311: Meaning.refusedByProxy
    default: nil
    }
}

private func meaning(ofCFNetwork code: Int, at stage: ExchangeStage) -> FailureMeaning? {
    switch code {
    case 1, 2: Meaning.noHost
    case 302: lostConnection(at: stage)
    case 303: Meaning.noHTTP
    case 305: Meaning.unusableURL
    default: nil
    }
}
