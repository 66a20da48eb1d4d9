package telemetry

import "log/slog"

func (l *slogListener) fenceFailed(e FenceFailed) {
	left, ok := l.admit(&l.fenceFailures, 0, 0)
	if !ok {
		return
	}
	l.log(slog.LevelWarn, "stamp: fence not renewed", left, "",
		slog.String("space", e.Space), slog.Uint64("node", e.Node), slog.Duration("left", e.Left), slog.Any("error", e.Err))
}

func (l *slogListener) fenceLost(e FenceLost) {
	left, ok := l.admit(&l.fencesLost, 0, 0)
	if !ok {
		return
	}
	l.log(slog.LevelError, "stamp: fence lost", left, "",
		slog.String("space", e.Space), slog.Uint64("node", e.Node),
		slog.String("owner", e.Owner), slog.Time("bound", e.Bound), slog.Any("error", e.Err))
}

func (l *slogListener) fenceBehind(e FenceBehind) {
	left, ok := l.admit(&l.fencesBehind, 0, e.By)
	if !ok {
		return
	}
	l.log(slog.LevelWarn, "stamp: clock is behind the fence", left, "left_out_by",
		slog.String("space", e.Space), slog.Uint64("node", e.Node),
		slog.Time("floor", e.Floor), slog.Time("clock", e.Clock), slog.Duration("by", e.By), slog.Bool("begins", e.Begins))
}
