import Foundation
import HikyakuTesting

@testable import Hikyaku

/// What a machine did that it must not.
struct BrokenInvariant: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

private func demand(_ condition: Bool, _ what: @autoclosure () -> String) throws {
    if !condition { throw BrokenInvariant(what()) }
}

extension RefreshWorld {
    /// The world after a step.
    ///
    /// - Throws: ``BrokenInvariant``.
    func after(_ step: Step) throws -> RefreshWorld {
        var world = self
        world.justWritten = nil
        world.justCancelled = nil
        world.mayCancelRefresh = false
        if let event = try world.take(step) {
            for action in world.machine.handle(event, at: world.date) { try world.take(action) }
        }
        // Unlike a refresh, a store that couldn't be read is asked again.
        if case .store = world.fault { world.fault = nil }
        if let number = world.justCancelled {
            try demand(world.callers[number] == .done, "a cancelled caller waits on")
        }
        if world.isAtRest {
            try demand(world.machine.waiters.isEmpty, "somebody waits, and nothing is under way")
            try demand(world.signing.isEmpty, "somebody signs in or out, and nothing is under way")
            try demand(world.machine.work == .none, "the machine thinks that work is under way")
        }
        for (number, caller) in world.callers.enumerated() {
            if case .waiting = caller { try demand(world.machine.waiters[number] != nil, "a caller was forgotten") }
        }
        return world
    }

    private mutating func take(_ step: Step) throws -> Machine.Event? {
        switch step {
        case .ask, .refuse, .cancel: try takeOfCaller(step)
        case .load, .loadFails, .write, .writeFails: takeOfStore(step)
        case .refresh, .refreshFails, .refreshFailsForNow: takeOfRefresh(step)
        case .signIn, .signOut: takeOfSigning(step)
        default: takeOther(step)
        }
    }

    private mutating func takeOfCaller(_ step: Step) throws -> Machine.Event? {
        switch step {
        case .ask(let caller):
            callers[caller] = .waiting(refused: nil)
            return .asked(caller)
        case .refuse(let caller):
            guard case .got(let token) = callers[caller] else { return nil }
            budget.refusals -= 1
            // One that can't be replaced stays in use.
            if token.refreshToken != nil { refused.insert(token) }
            callers[caller] = .waiting(refused: token)
            return .refused(caller, TokenKey(token))
        case .cancel(let caller):
            budget.cancellations -= 1
            justCancelled = caller
            return .cancelled(caller)
        default:
            return nil
        }
    }

    private mutating func takeOfStore(_ step: Step) -> Machine.Event? {
        let task = storeTask
        storeTask = nil
        if case .loadFails = step {
            budget.storeFailures -= 1
            let failure = Fault.store(budget.storeFailures)
            if case .unknown = machine.holding { fault = failure }
            return .storeEnded(.failure(failure))
        }
        let isDone = step != .writeFails
        if step == .writeFails { budget.storeFailures -= 1 }
        switch task {
        case .load:
            if let stored { note(stored) }
            return .storeEnded(.success(stored))
        case .save(let token, _):
            justWritten = token
            written.insert(token)
            if isDone { stored = token }
        case .signIn(let token, _): if isDone { stored = token }
        case .signOut: if isDone { stored = nil }
        case nil: break
        }
        return .storeEnded(isDone ? .success(nil) : .failure(.store(budget.storeFailures)))
    }

    /// A token that was found in the store: that of the session, as far as anyone can tell.
    private mutating func note(_ token: IssuedToken) {
        written.insert(token)
        if sessions[token] == nil { sessions[token] = session }
        if case .unknown = machine.holding { fault = nil }
    }

    private mutating func takeOfRefresh(_ step: Step) -> Machine.Event? {
        switch step {
        case .refresh(let number):
            guard let refresh = refreshes.removeValue(forKey: number) else { return nil }
            let token = makeToken()
            sessions[token] = refresh.session
            if !refresh.isCancelled { fault = nil }
            return .refreshed(number, token)
        case .refreshFails(let number):
            budget.finalFailures -= 1
            return failed(number, .final(number))
        case .refreshFailsForNow(let number):
            budget.passingFailures -= 1
            return failed(number, .passing(number))
        default:
            return nil
        }
    }

    private mutating func failed(_ number: Int, _ failure: Fault) -> Machine.Event? {
        if refreshes.removeValue(forKey: number)?.isCancelled == false { fault = failure }
        return .refreshFailed(number, failure, isPassing: failure == .passing(number))
    }

    private mutating func takeOfSigning(_ step: Step) -> Machine.Event? {
        mayCancelRefresh = true
        session += 1
        fault = nil
        let caller = Self.signingCaller + session
        signing.insert(caller)
        guard step == .signIn else {
            budget.signOuts -= 1
            isSignedOut = true
            return .signedOut(caller)
        }
        budget.signIns -= 1
        isSignedOut = false
        let token = makeToken()
        sessions[token] = session
        written.insert(token)
        return .signedIn(caller, token)
    }

    private mutating func takeOther(_ step: Step) -> Machine.Event? {
        switch step {
        case .tick:
            budget.ticks -= 1
            now += 1
        case .pauseEnds(let number):
            pauses.remove(number)
            if fault == .passing(number) { fault = nil }
            return .pauseEnded(number)
        case .alarmRings:
            budget.alarms -= 1
            defer { alarm = nil }
            return alarm.map { .alarmRang($0) }
        case .otherRefreshes:
            budget.otherRefreshes -= 1
            stored = makeToken()
        case .otherSignsOut:
            budget.otherSignOuts -= 1
            stored = nil
        default: break
        }
        return nil
    }
}

// MARK: - What the machine does

extension RefreshWorld {
    private mutating func take(_ action: Machine.Action) throws {
        switch action {
        case .finish(let caller, let outcome):
            try finish(caller, outcome)
        case .store(let task):
            try demand(storeTask == nil, "the store is given two tasks at once")
            storeTask = task
        case .refresh(let number, let token):
            try demand(refreshes.values.allSatisfy(\.isCancelled), "two refreshes at once")
            try demand(fault == nil, "a refresh after one that failed: \(fault as Any)")
            try demand(token.map { sessions[$0] == session } ?? true, "a refresh of a token of another session")
            try demand(token.map { isInNeed($0) } ?? true, "a refresh that nobody needs")
            refreshes[number] = Refresh(token: token, session: session)
        case .cancelRefresh(let number):
            try demand(mayCancelRefresh, "a refresh is cancelled")
            refreshes[number]?.isCancelled = true
        case .pause(let number):
            pauses.insert(number)
        case .setAlarm(let number, let date):
            alarm = date == nil ? nil : number
        case .tell:
            break
        }
    }

    private mutating func finish(_ caller: Int, _ outcome: Machine.Outcome) throws {
        guard caller < Self.signingCaller else {
            try demand(signing.remove(caller) != nil, "who signs in or out gets two outcomes")
            return
        }
        guard case .waiting(let refusedToken) = callers[caller] else {
            throw BrokenInvariant("a caller gets two outcomes, the second \(outcome)")
        }
        callers[caller] = .done
        switch outcome {
        case .token(let token):
            try checkGiven(token)
            try demand(token != refusedToken, "a caller gets the token again that it was refused with")
            if refusedToken == nil { callers[caller] = .got(token) }
        case .cancelled:
            try demand(justCancelled == caller, "a caller is told that it gave up, and hasn't")
        case .failed(let failure):
            try demand(failure == fault, "a caller gets \(failure), and there is \(fault as Any)")
        case .missing:
            try demand(isSignedOut || stored == nil, "no token for a caller, and somebody is signed in")
        case .expired, .noOther:
            guard case .token(let held) = machine.holding else { throw BrokenInvariant("\(outcome) of nothing") }
            try demand(held.token.refreshToken == nil, "\(outcome), although it can be refreshed")
        case .stored:
            throw BrokenInvariant("a caller gets the outcome of signing in")
        }
    }

    private func isInNeed(_ token: IssuedToken) -> Bool {
        machine.margins.ahead != nil || refused.contains(token) || token.expiresAt.map { date >= $0 } == true
    }

    private func checkGiven(_ token: IssuedToken) throws {
        try demand(!refused.contains(token), "a refused token is given")
        try demand(written.contains(token), "a token is given that the store hasn't been given")
        try demand(sessions[token] == session, "a token of another session is given")
        try demand(!isSignedOut || sessions[token] == session, "a token is given, and nobody is signed in")
        let isUsable = token.expiresAt.map { date < $0 } ?? true
        try demand(isUsable || token == justWritten, "a token is given that has ended")
    }
}
