import HikyakuBase
import Testing

@Suite struct LockTests {
    @Test func aLockLetsOneInAtATime() async {
        let count = Lock(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<1000 { count.withLock { $0 += 1 } } }
            }
        }
        #expect(count.withLock { $0 } == 8000)
    }
}
