package fence

// place tells a folder from copies of it. nil is that of records which are in
// no folder.
type place struct {
	folder string
	adopt  bool
	found  string // when the fence was made
	look   func() (string, error)
}

// text is what records say of their place.
func (p *place) text() string {
	if p == nil {
		return ""
	}
	return p.found
}

// check refuses a record, unless it is nil, that was written in another place,
// and a folder whose lock file was replaced since the fence was made.
func (p *place) check(found *Record) error {
	if p == nil {
		return nil
	}
	now, err := p.look()
	if err != nil {
		return err
	}
	if now != p.found {
		return &CopiedError{Folder: p.folder, Record: p.found, Found: now}
	}
	if found != nil && found.Place != p.found && !p.adopt {
		return &CopiedError{Folder: p.folder, Record: found.Place, Found: p.found}
	}
	return nil
}
