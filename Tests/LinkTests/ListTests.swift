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
}
