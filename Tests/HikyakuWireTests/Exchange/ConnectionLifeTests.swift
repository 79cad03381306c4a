#if os(Linux)
import Testing

@testable import HikyakuWire

/// All orders of events in the life of a connection, and all that its users can do with it.
struct ConnectionLifeTests {
    private typealias Life = ConnectionLife

    private static let routes: [Life.Route] = [nil, .forwards, .tunnels].flatMap { proxy in
        [false, true].flatMap { isProxySecure in
            [false, true].map { Life.Route(proxy: proxy, isProxySecure: isProxySecure, isOriginSecure: $0) }
        }
    }

    private static let events: [Life.Event] = [
        .connected, .secured(choosesHTTP2: false), .secured(choosesHTTP2: true), .tunnelOpened, .sessionBegan, .failed,
        .ended,
    ]

    /// What one order of events has led to, and what must hold at each step.
    private struct Course {
        let route: Life.Route
        var life: Life
        var events: [Life.Event] = []
        var done: [Life.Action] = []
        /// The step whose end is awaited.
        var step: Life.Action?

        init(_ route: Life.Route) {
            (self.route, life) = (route, Life(route))
        }

        var isClosed: Bool { done.contains(.close) }
        var isOffered: Bool { done.contains(.offer) }

        /// Whether an event is one that the executed actions can lead to.
        func mayCome(_ event: Life.Event) -> Bool {
            switch event {
            case .connected: events.isEmpty
            // With the proxy, HTTP/2 is never offered, and would not be used.
            case .secured: step == .beginTLS(.origin) || step == .beginTLS(.proxy)
            case .tunnelOpened: step == .beginTunnel
            case .sessionBegan: step == .beginHTTP2
            case .failed, .ended: true
            }
        }

        mutating func follow(_ event: Life.Event) -> String? {
            let (before, mayCome, wasClosed) = (life, mayCome(event), isClosed)
            events.append(event)
            let actions = life.handle(event)
            if wasClosed, !actions.isEmpty { return "something follows the end" }
            if !mayCome, !actions.isEmpty || life != before { return "an event without its step has an effect" }
            if mayCome, !wasClosed, actions.isEmpty { return "nothing follows" }
            for action in actions {
                if let problem = problem(of: action, after: event) { return problem }
                done.append(action)
                step = action
            }
            return problemOfStage
        }

        private func problem(of action: Life.Action, after event: Life.Event) -> String? {
            switch action {
            case .beginTLS(.proxy):
                return route.proxy != nil && route.isProxySecure && done.isEmpty ? nil : "TLS with a proxy too late"
            case .beginTunnel:
                let isReady = done == (route.isProxySecure ? [.beginTLS(.proxy)] : [])
                return route.proxy == .tunnels && isReady ? nil : "a tunnel that isn't next"
            case .beginTLS(.origin):
                guard route.isOriginSecure, route.proxy != .forwards else { return "TLS that isn't needed" }
                let isReached = route.proxy == nil ? done.isEmpty : done.last == .beginTunnel && event == .tunnelOpened
                return isReached ? nil : "TLS before the tunnel is open"
            case .beginHTTP2:
                let isChosen = done.last == .beginTLS(.origin) && event == .secured(choosesHTTP2: true)
                return isChosen ? nil : "HTTP/2 that wasn't chosen"
            case .offer:
                return isOffered || isClosed || done != steps(event) ? "offered before it is open, or twice" : nil
            case .close: return isClosed ? "closed twice" : nil
            case .report:
                let isLast = done.last == .close && !done.contains(.report)
                return isLast && !isOffered && event == .failed ? nil : "a failure that isn't the dial's"
            }
        }

        /// The steps that a connection of this route needs, if the last of them has ended by the event.
        private func steps(_ event: Life.Event) -> [Life.Action] {
            var steps: [Life.Action] = []
            if route.proxy != nil, route.isProxySecure { steps.append(.beginTLS(.proxy)) }
            if route.proxy == .tunnels { steps.append(.beginTunnel) }
            if route.proxy != .forwards, route.isOriginSecure { steps.append(.beginTLS(.origin)) }
            if event == .sessionBegan { steps.append(.beginHTTP2) }
            return steps
        }

        private var problemOfStage: String? {
            let isOpen = life.stage == .open || life.stage == .shared
            if isOpen != (isOffered && !isClosed) { return "requests on a connection that isn't open" }
            if (life.stage == .closed) != isClosed { return "the socket isn't closed with the connection" }
            let isPastProxy = route.proxy == nil || isOffered || done.contains(.beginTLS(.origin))
            if !isClosed, (life.peer == .origin) != isPastProxy { return "the peer is another one" }
            return nil
        }
    }

    /// Each order of events to the end, with all that do not fit at each step: these have no effect.
    @Test(arguments: routes)
    func whateverComesTheStepsAreInOrderAndItEndsOnce(_ route: ConnectionLife.Route) {
        var (endCount, openStages, problems) = (0, Set<ConnectionLife.Stage>(), Set<String>())
        var stack = [Course(route)]
        while let course = stack.popLast() {
            if course.isClosed { endCount += 1 }
            if course.isOffered, !course.isClosed { openStages.insert(course.life.stage) }
            for event in Self.events {
                var next = course
                if let problem = next.follow(event) {
                    problems.insert("\(problem): \(next.events)")
                } else if next.life != course.life {
                    stack.append(next)
                }
            }
        }
        #expect(problems == [])
        let mayShare = route.isOriginSecure && route.proxy != .forwards
        #expect(openStages == (mayShare ? [.open, .shared] : [.open]))
        #expect(endCount >= 4)
    }

    /// The peer is the one that an error at this step is about.
    @Test func theStepsThroughASecureProxyAreInOrder() {
        var life = Life(Life.Route(proxy: .tunnels, isProxySecure: true, isOriginSecure: true))
        #expect(life.peer == .proxy)
        #expect(life.handle(.connected) == [.beginTLS(.proxy)])
        #expect(life.peer == .proxy)
        #expect(life.handle(.secured(choosesHTTP2: false)) == [.beginTunnel])
        #expect(life.peer == .proxy)
        #expect(life.handle(.tunnelOpened) == [.beginTLS(.origin)])
        #expect(life.peer == .origin)
        #expect(life.handle(.secured(choosesHTTP2: true)) == [.beginHTTP2])
        #expect(life.handle(.sessionBegan) == [.offer])
        #expect(life.stage == .shared)
        #expect(life.handle(.ended) == [.close])
        #expect(life.handle(.ended) == [])
    }

    // MARK: - Users

    /// A connection, and who believes to have it.
    private struct World: Hashable {
        var use = ConnectionUse.loop
        var isInPool = false
        var callerHas = false
        var loopHas = true
        /// Whether the pool has assigned it to an exchange, and this has not been carried out.
        var isAssigned = false
        /// Whether an event was not handled yet.
        var hasEvent = false

        /// All that can happen next; each is one step under the lock.
        var next: [World] {
            [
                change(if: isInPool) { $0.give(toCaller: true) }, change(if: isInPool) { $0.give(toCaller: false) },
                change { $0.noteEvent() }, change(if: use == .idle) { $0.examine() },
                change(if: isInPool) { ($0.isInPool, $0.isAssigned) = (false, true) },
                change(if: isAssigned) { $0.carryOut() },
                change(if: loopHas) { $0.giveBack(toPool: true) }, change(if: loopHas) { $0.giveBack(toPool: false) },
                change(if: callerHas) { $0.callerGivesBack(toPool: true) },
                change(if: callerHas) { $0.callerGivesBack(toPool: false) },
            ].compactMap { $0 }
        }

        private func change(if isPossible: Bool = true, _ body: (inout World) -> Void) -> World? {
            guard isPossible else { return nil }
            var world = self
            body(&world)
            return world
        }

        private mutating func give(toCaller: Bool) {
            (isInPool, callerHas, loopHas) = (false, toCaller, !toCaller)
            if toCaller { use.lend() } else { use.leavePool() }
        }

        private mutating func noteEvent() {
            switch use.noteEvent() {
            case .attend: hasEvent = !loopHas && !isAssigned
            case .look: hasEvent = !isInPool && !isAssigned
            case .leaveToCaller: hasEvent = true
            }
        }

        private mutating func examine() {
            if use.takeOut(wasIdle: isInPool) { (isInPool, loopHas) = (false, true) }
        }

        private mutating func carryOut() {
            use.leavePool()
            (isAssigned, loopHas) = (false, true)
        }

        private mutating func giveBack(toPool: Bool) {
            use.giveBack(toPool: toPool)
            (isInPool, loopHas) = (toPool, !toPool)
        }

        /// A caller that has missed an event looks first.
        private mutating func callerGivesBack(toPool: Bool) {
            guard !use.takeMissedEvent() else { return hasEvent = false }
            use.giveBack(toPool: toPool)
            (callerHas, isInPool, loopHas) = (false, toPool, !toPool)
        }

        var problem: String? {
            if [isInPool, callerHas, loopHas, isAssigned].count(where: { $0 }) != 1 { return "not one owner" }
            if use.isCallers != callerHas { return "the caller isn't the one" }
            if (use == .idle) != isInPool, !isAssigned { return "the pool has another view" }
            if hasEvent, !callerHas { return "an event is lost" }
            return hasEvent == (use == .callerWithEvent) ? nil : "an event is forgotten"
        }
    }

    @Test func aConnectionHasOneOwnerWhateverHappens() {
        var known: Set<World> = [World()]
        var stack = Array(known)
        while let world = stack.popLast() {
            #expect(world.problem == nil, "\(world)")
            for next in world.next where known.insert(next).inserted { stack.append(next) }
        }
        #expect(Set(known.map(\.use)).count == 5)
    }
}
#endif
