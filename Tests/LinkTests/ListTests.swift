import Link
import Testing

@Suite struct `Lists of a few` {
  @Test func `an emptied list is empty and keeps its capacity`() {
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

  @Test func `an element moved out is gone from the list, and remains in copies of it`() {
    var list = [[1], [2, 3], []]
    let held = list
    #expect(list.moveOut(1, leaving: [9]) == [2, 3])
    #expect(list == [[1], [9], []])
    #expect(list.moveOut(1, leaving: []) == [9])
    #expect(list == [[1], [], []] && held == [[1], [2, 3], []])
  }

  @Test func `an element moved out is released once`() {
    final class Thing {}
    weak var watched: Thing?
    var list: [Thing?] = []
    do {
      let thing = Thing()
      watched = thing
      list = [thing, nil]
    }
    var taken = list.moveOut(0, leaving: nil)
    #expect(taken === watched && watched != nil && list[0] == nil)
    taken = nil
    #expect(watched == nil)
  }
}
