import Link
import Testing

@Suite struct `Lists of a few` {
  @Test func `what is emptied is empty, and keeps its room`() {
    var list = [[1], [2, 3], []]
    list.reserveCapacity(16)
    let room = list.capacity
    list.removeFew()
    #expect(list.isEmpty && list.capacity == room)
    list.removeFew()
    #expect(list.isEmpty)
    let held = list + [[4]]
    list = held
    list.removeFew()
    #expect(held == [[4]])
  }

  @Test func `what is taken out is gone from the list, and from nobody who holds the list as it was`() {
    var list = [[1], [2, 3], []]
    let held = list
    #expect(list.take(1, leaving: [9]) == [2, 3])
    #expect(list == [[1], [9], []])
    #expect(list.take(1, leaving: []) == [9])
    #expect(list == [[1], [], []] && held == [[1], [2, 3], []])
  }

  @Test func `what is taken out is let go once`() {
    final class Thing {}
    weak var watched: Thing?
    var list: [Thing?] = []
    do {
      let thing = Thing()
      watched = thing
      list = [thing, nil]
    }
    var taken = list.take(0, leaving: nil)
    #expect(taken === watched && watched != nil && list[0] == nil)
    taken = nil
    #expect(watched == nil)
  }
}
