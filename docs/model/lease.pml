/*
 * The record of package sequence/fence: no id is given out twice.
 *
 * Two owners fight for one node number, whose record in a store holds a token
 * and a bound. Each runs two processes of this model, which share the owner's
 * memory: a keeper (takes over, renews, stops, crashes) and a caller (claims
 * ids). Any of them may stand still for any time, which is what SIGSTOP, a
 * garbage collector or a slow network do.
 *
 * An id is its time: one sequence with one number per unit. All else that could
 * tell two ids apart is left out.
 *
 * Clocks are left out too, as far as one can: each reading is any time at all,
 * so what holds here rests on nobody's clock. Neither does a take-over: any
 * owner may take the record from any other at any moment. That a lease is left
 * alone until it has expired is courtesy, not safety.
 *
 * A write to the store may be applied or not, and its answer may be lost.
 *
 * Each rule can be taken away, with -DNO_..., and the check must then fail;
 * the script check beside this file tries them all.
 */

#define OWNERS 2
#ifndef END
#define END    4 /* times are 0 to END-1 */
#endif
#define WINDOW 2

#ifndef LIVES
#define LIVES  2 /* how often an owner's process starts */
#endif
#ifndef CLAIMS
#define CLAIMS 1 /* how often each caller claims in all */
#endif

/* The store: one record. Token 0 is nobody's. */
byte token;
byte bound;

/* What is known about all ids that were given out. */
bool issued[END];

/* The memory of an owner's process. */
typedef Memory {
	byte life;    /* which start of the process, 1 and up; 0: not running */
	byte mine;    /* token: another one in each life */
	byte stored;  /* the bound that this life stored last */
	byte ceiling; /* first time that may not be given out */
	byte floor;   /* first time that may be given out */
	byte word;    /* time claimed last + 1 */
	bool lost;
};
Memory m[OWNERS];

#define TOKEN(o, l) (1 + o + OWNERS * l)

/* The rules that other places below refer to, and what is there without. */
#ifdef NO_FLOOR
#define FLOOR(now, b) now
#else
#define FLOOR(now, b) b
#endif

#ifdef NO_WAIT_FOR_STORE
#define EARLY(o, t) m[o].ceiling = t
#else
#define EARLY(o, t) skip
#endif

#ifdef NO_OWN_CONDITION /* adding to whatever is there */
#define RENEW(o) target = MIN(bound + WINDOW, END); bound = target; result = WRITTEN
#else
#define RENEW(o) compare_and_set(m[o].mine, m[o].stored, m[o].mine, target, result)
#endif

#ifdef NO_STOP_WHEN_LOST
#define LOST(o, t) m[o].ceiling = t
#else
#define LOST(o, t) skip /* the ceiling stays */
#endif

#ifdef NO_STOP_ORDER
#define STOP_FIRST(o)  target = m[o].word
#define STOP_SECOND(o) m[o].ceiling = 0
#else
#define STOP_FIRST(o)  m[o].ceiling = 0
#define STOP_SECOND(o) target = m[o].word
#endif

#ifdef NO_HIGHEST_PLUS_ONE
#define HIGHEST(w) (w > 0 -> w - 1 : 0)
#else
#define HIGHEST(w) w
#endif

#ifdef NO_LOOK_AFTER_CLAIM
#define LOOK_FIRST(o) limit = m[o].ceiling
#define LOOK(t, o) t < limit
#else
#define LOOK_FIRST(o) skip
#define LOOK(t, o) t < m[o].ceiling
#endif

#define MAX(a, b) ((a) > (b) -> (a) : (b))
#define MIN(a, b) ((a) < (b) -> (a) : (b))

/* A conditional write: the record is replaced if it is what the writer has
 * seen. result: WRITTEN, REFUSED, or UNKNOWN when the answer was lost. */
#define REFUSED 0
#define WRITTEN 1
#define UNKNOWN 2

#ifdef NO_CONDITION
#define SEEN(t, b) true
#else
#define SEEN(t, b) (token == t && bound == b)
#endif

inline compare_and_set(oldToken, oldBound, newToken, newBound, result) {
	if
	:: SEEN(oldToken, oldBound) -> token = newToken; bound = newBound; result = WRITTEN
	:: SEEN(oldToken, oldBound) -> token = newToken; bound = newBound; result = UNKNOWN
	:: !SEEN(oldToken, oldBound) -> result = REFUSED
	:: result = UNKNOWN /* it never arrived, or its answer didn't */
	fi
}

/* An unknown outcome is read back: own token and bound mean that it was
 * written. */
#ifdef NO_READ_BACK
#define READ_BACK(t, b) WRITTEN
#else
#define READ_BACK(t, b) (token == t && bound == b -> WRITTEN : REFUSED)
#endif

/* Any time that a clock may show, up to the last one. */
inline read_clock(now) {
	now = 0;
	do
	:: now < END - 1 -> now++
	:: break
	od
}

proctype keeper(byte o) {
	byte seenToken, seenBound, target, result;

start:
	atomic {
		seenToken = 0; seenBound = 0; target = 0; result = REFUSED;
		m[o].mine = 0; m[o].stored = 0; m[o].ceiling = 0; m[o].floor = 0; m[o].word = 0; m[o].lost = false;
		if
		:: m[o].life < LIVES -> m[o].life++
		:: m[o].life == LIVES -> m[o].life = 0; goto done
		fi;
		m[o].mine = TOKEN(o, m[o].life);
		/* Acquisition begins: the record is read. */
		seenToken = token; seenBound = bound
	}
	atomic { /* The clock is read at any time before the write. */
		read_clock(target);
		m[o].floor = FLOOR(target, seenBound);
		target = MIN(MAX(target, seenBound) + WINDOW, END);
		if
		:: target <= seenBound -> m[o].life = 0; goto done /* no time is left */
		:: else
		fi;
		compare_and_set(seenToken, seenBound, m[o].mine, target, result);
		seenToken = 0; seenBound = 0
	}
	if
	:: atomic { result == UNKNOWN -> result = READ_BACK(m[o].mine, target) }
	:: result != UNKNOWN
	fi;
	atomic {
		if
		:: result == WRITTEN ->
			m[o].word = m[o].floor; m[o].stored = target; m[o].ceiling = target
		:: result == REFUSED -> goto start /* as another life */
		fi;
		target = 0; result = REFUSED
	}

	do
	:: atomic { !m[o].lost -> /* Renewal. */
			read_clock(target);
			target = MIN(MAX(target, m[o].word) + WINDOW, END);
			if
			:: target <= m[o].stored -> target = 0; goto next
			:: else
			fi;
			EARLY(o, target)
		}
		atomic { RENEW(o) }
		if
		:: atomic { result == UNKNOWN -> result = READ_BACK(m[o].mine, target) }
		:: result != UNKNOWN
		fi;
		atomic {
			if
			:: result == WRITTEN -> m[o].stored = target; m[o].ceiling = target
			:: result == REFUSED -> m[o].lost = true; LOST(o, target)
			fi;
			target = 0; result = REFUSED
		}
next:
		skip
	:: atomic { !m[o].lost -> STOP_FIRST(o) } /* Clean stop. */
		atomic { STOP_SECOND(o) }
		atomic {
			target = MAX(HIGHEST(target), m[o].floor);
			if
			:: target < m[o].stored ->
				compare_and_set(m[o].mine, m[o].stored, 0, target, result)
			:: else
			fi;
			goto start
		}
	:: goto start /* Crash. */
	od;
done:
	skip
}

/* A caller claims by moving the word, and reads the ceiling after that. The
 * life says that it still runs in the same process, which its crash ends. */
proctype caller(byte o) {
	byte time, life, limit, left = CLAIMS;
end:
	do
	:: atomic { left > 0 && m[o].ceiling > 0 ->
			left--;
			life = m[o].life;
			LOOK_FIRST(o)
		}
		atomic {
			if
			:: m[o].life != life -> goto next
			:: else
			fi;
			read_clock(time);
			time = MAX(time, m[o].word);
			if
			:: time >= END -> goto next
			:: else
			fi;
			m[o].word = time + 1
		}
		atomic {
			if
			:: m[o].life == life && LOOK(time, o) ->
				assert(!issued[time]);
				issued[time] = true
			:: else
			fi;
next:
			time = 0; life = 0; limit = 0
		}
	:: left == 0 -> break
	od
}

init {
	atomic {
		byte o;
		for (o : 0 .. OWNERS - 1) {
			run keeper(o);
			run caller(o)
		}
	}
}
