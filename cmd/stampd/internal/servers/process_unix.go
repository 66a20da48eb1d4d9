//go:build unix

package servers

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// become makes a command run as another user, if this is root, and in a process
// group of its own, so that an interrupt at a terminal leaves it to this program.
func become(cmd *exec.Cmd, name string) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if name == "" || os.Geteuid() != 0 {
		return nil
	}
	uid, gid, err := ids(name)
	if err != nil {
		return err
	}
	cmd.Dir = "/" // this process's folder may be closed to it
	cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return nil
}

func ids(name string) (uid, gid int, err error) {
	u, err := user.Lookup(name)
	if err != nil {
		return 0, 0, err
	}
	uid, err1 := strconv.Atoi(u.Uid)
	gid, err2 := strconv.Atoi(u.Gid)
	return uid, gid, errors.Join(err1, err2)
}

// give makes a folder and all in it another user's, if this is root, and lets it
// pass through the folders above.
func give(folder, name string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	uid, gid, err := ids(name)
	if err != nil {
		return err
	}
	err = filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, uid, gid)
	})
	temp := filepath.Clean(os.TempDir())
	for above := filepath.Dir(folder); above != temp && above != "/" && above != "."; above = filepath.Dir(above) {
		info, statErr := os.Stat(above)
		if statErr != nil {
			return errors.Join(err, statErr)
		}
		if mode := info.Mode().Perm(); mode&0o011 != 0o011 {
			err = errors.Join(err, os.Chmod(above, mode|0o011))
		}
	}
	return err
}

// killAll kills the server and its children. They are stopped first, so that no
// new ones come up meanwhile.
func (p *process) killAll() {
	_ = p.freeze() // it may have ended
	for _, pid := range p.family() {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

func (p *process) freeze() error { return p.send(syscall.SIGSTOP) }
func (p *process) thaw() error   { return p.send(syscall.SIGCONT) }

func (p *process) send(signal syscall.Signal) error {
	if err := syscall.Kill(p.cmd.Process.Pid, signal); err != nil {
		return fmt.Errorf("signal %v to the server: %w", signal, err)
	}
	for _, pid := range p.family() {
		_ = syscall.Kill(pid, signal) // a child may have ended
	}
	return nil
}

// family lists the server and its children, which needn't be of one process
// group: those of PostgreSQL are not.
func (p *process) family() []int {
	pid := p.cmd.Process.Pid
	family := []int{pid}
	children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	if err != nil { // not Linux
		children, _ = exec.Command("pgrep", "-P", strconv.Itoa(pid)).Output()
	}
	for _, field := range strings.Fields(string(children)) {
		if child, err := strconv.Atoi(field); err == nil {
			family = append(family, child)
		}
	}
	return family
}

// lockFile waits for the lock of a file, as package filestore takes it.
func lockFile(file *os.File) error { return syscall.Flock(int(file.Fd()), syscall.LOCK_EX) }
