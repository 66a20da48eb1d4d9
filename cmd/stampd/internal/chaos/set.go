package chaos

// pageBits is the size of a page of a set: 65,536 numbers in 8 KiB.
const pageBits = 16

// set is a set of numbers that lie together: a bit for each, in pages. The zero
// value is empty.
type set struct {
	pages map[int64]*[1 << pageBits / 64]uint64
}

// add puts a number in, and tells whether it was new.
func (s *set) add(n int64) bool {
	if s.pages == nil {
		s.pages = map[int64]*[1 << pageBits / 64]uint64{}
	}
	page := s.pages[n>>pageBits]
	if page == nil {
		page = new([1 << pageBits / 64]uint64)
		s.pages[n>>pageBits] = page
	}
	index := uint64(n) & (1<<pageBits - 1)
	word, bit := &page[index/64], uint64(1)<<(index%64)
	isNew := *word&bit == 0
	*word |= bit
	return isNew
}
