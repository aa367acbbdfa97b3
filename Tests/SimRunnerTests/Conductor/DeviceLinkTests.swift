import Link
import Testing

@testable import Simulator

@Suite struct `A link between two devices` {
  private static let now = VirtualTime.start + .seconds(10)

  private static func link(at place: TraceEvent.Place = .link) -> DeviceLink {
    DeviceLink(
      (0, 1), notifying: [0, 1], at: place, LinkProfile(latency: .milliseconds(5), supervision: .seconds(6)), seed: 1,
      stream: "reconnect")
  }

  @Test func `it is down while a fault or a missing pairing holds it down`() {
    var link = Self.link()
    // The second cut of a fault, and the second unpairing, change nothing.
    let cuts = [
      link.cut(by: 3, "a", at: Self.now), link.cut(by: 3, "a", at: Self.now), link.cut(by: 4, "b", at: Self.now),
      link.setPairing(false, at: Self.now), link.setPairing(false, at: Self.now),
    ]
    #expect(cuts == [true, false, false, false, false])
    let restored = [
      link.restore(by: 3, "a", at: Self.now), link.restore(by: 3, "a", at: Self.now),
      link.restore(by: 4, "b", at: Self.now),
    ]
    #expect(restored == [false, false, false] && !link.medium.isUp)
    let isUp = link.setPairing(true, at: Self.now)
    #expect(isUp && link.medium.isUp && link.isPaired)
  }

  @Test func `its ends learn of a cut after the supervision time`() {
    var link = Self.link()
    let first = link.popNotice(at: .start)
    let isCut = link.cut(by: 0, "a", at: Self.now)
    let (early, due) = (link.popNotice(at: Self.now + .seconds(5)), link.popNotice(at: Self.now + .seconds(6)))
    #expect(first == true && isCut && early == nil && due == false && !link.notice.believedUp)
  }

  @Test(arguments: Channel.allCases) func `each channel has one link, except the health store's`(channel: Channel) {
    let carriers = [Self.link(), Self.link(at: .uplink)].filter { $0.route.takes(channel, from: 0) }
    #expect(carriers.map(\.place) == (channel == .health ? [] : [channel == .http ? .uplink : .link]))
  }

  @Test func `a frame reaches the other end`() {
    let (link, uplink) = (Self.link(), Self.link(at: .uplink))
    for (link, near, far) in [(link, NodeRole.watch, NodeRole.phone), (uplink, .phone, .edge)] {
      #expect(link.route.receiver(link.route.direction(from: near).receiver) == 1)
      #expect(link.route.receiver(link.route.direction(from: far).receiver) == 0)
    }
  }
}
