/*
 * Fence and node lease: no id is given out twice.
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
 * Each rule can be taken away, with -DNO_..., and the check must then fail.
 */

#define OWNERS 2
#ifndef END
#define END    5 /* times are 0 to END-1 */
#endif
#define WINDOW 2

#ifndef LIVES
#define LIVES  2 /* how often an owner's process starts */
#endif
#ifndef CLAIMS
#define CLAIMS 3 /* how often each caller claims in all */
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

#ifdef NO_NEW_TOKEN
#define TOKEN(o, l) (1 + o)
#else
#define TOKEN(o, l) (1 + o + OWNERS * l)
#endif

#define MAX(a, b) ((a) > (b) -> (a) : (b))
#define MIN(a, b) ((a) < (b) -> (a) : (b))

/* A conditional write: the record is replaced if it is what the writer has
 * seen. result: 1 written, 0 refused, 2 nobody knows. */
inline compare_and_set(oldToken, oldBound, newToken, newBound, result) {
	atomic {
		if
#ifdef NO_CONDITION
		:: true ->
#else
		:: token == oldToken && bound == oldBound ->
#endif
			token = newToken; bound = newBound;
			if
			:: result = 1
			:: result = 2
			fi
#ifndef NO_CONDITION
		:: !(token == oldToken && bound == oldBound) ->
			if
			:: result = 0
			:: result = 2
			fi
#endif
		:: result = 2 /* it never arrived */
		fi
	}
}

/* An unknown outcome is read back: own token and bound mean that it was
 * written. */
inline settle(newToken, newBound, result) {
	if
	:: result == 2 ->
#ifdef NO_READ_BACK
		result = 1
#else
		atomic { result = (token == newToken && bound == newBound -> 1 : 0) }
#endif
	:: else
	fi
}

/* Any time that a clock may show. */
inline read_clock(now) {
	atomic {
		now = 0;
		do
		:: now < END - 1 -> now++
		:: break
		od
	}
}

proctype keeper(byte o) {
	byte seenToken, seenBound, now, target, result, highest;

start:
	atomic {
		if
		:: m[o].life == LIVES -> goto done
		:: else
		fi;
		m[o].life++;
		m[o].mine = TOKEN(o, m[o].life);
		m[o].stored = 0; m[o].ceiling = 0; m[o].floor = 0; m[o].word = 0; m[o].lost = false
	}

	/* Acquisition. */
	atomic { seenToken = token; seenBound = bound }
	read_clock(now);
	target = MIN(MAX(now, seenBound) + WINDOW, END);
	if
	:: target > seenBound
	:: else -> goto done /* the model's time is used up */
	fi;
	compare_and_set(seenToken, seenBound, m[o].mine, target, result);
	settle(m[o].mine, target, result);
	if
	:: result == 1 ->
		atomic {
#ifdef NO_FLOOR
			m[o].floor = now;
#else
			m[o].floor = seenBound;
#endif
			m[o].word = m[o].floor;
			m[o].stored = target;
			m[o].ceiling = target
		}
	:: else ->
		if
		:: goto start /* again, as another life */
		:: goto done
		fi
	fi;

	do
	:: /* Renewal: the bound as this owner stored it is the condition. */
		read_clock(now);
		target = MIN(MAX(now, m[o].word) + WINDOW, END);
		if
		:: target > m[o].stored && !m[o].lost ->
#ifdef NO_WAIT_FOR_STORE
			m[o].ceiling = target;
#endif
#ifdef NO_OWN_CONDITION
			/* Adding to whatever is there. */
			atomic { target = MIN(bound + WINDOW, END); bound = target; result = 1 };
#else
			compare_and_set(m[o].mine, m[o].stored, m[o].mine, target, result);
#endif
			settle(m[o].mine, target, result);
			if
			:: result == 1 -> atomic { m[o].stored = target; m[o].ceiling = target }
			:: else ->
#ifdef NO_STOP_WHEN_LOST
				atomic { m[o].ceiling = target };
#endif
				m[o].lost = true /* the ceiling stays */
			fi
		:: else -> break
		fi
	:: /* Clean stop. */
#ifdef NO_STOP_ORDER
		highest = m[o].word;
		m[o].ceiling = 0;
#else
		m[o].ceiling = 0;
		highest = m[o].word;
#endif
#ifdef NO_HIGHEST_PLUS_ONE
		highest = (highest > 0 -> highest - 1 : 0);
#endif
		if
		:: !m[o].lost && highest < m[o].stored ->
			highest = MAX(highest, m[o].floor);
			compare_and_set(m[o].mine, m[o].stored, 0, highest, result)
		:: else
		fi;
		goto start
	:: /* Crash. The caller of this life may still be about to return an id. */
		goto start
	:: break
	od;
done:
	skip
}

/* A caller. It claims by moving the word, and only then reads the ceiling.
 * Life tells that the memory it claims from is still that of its process: a
 * crash ends the caller with it. */
proctype caller(byte o) {
	byte now, time, life, left = CLAIMS;
	do
	:: left > 0 ->
		left--;
end:		atomic { m[o].ceiling > 0 -> life = m[o].life }
		read_clock(now);
#ifdef NO_LOOK_AFTER_CLAIM
		if
		:: atomic { m[o].life == life && MAX(now, m[o].word) < m[o].ceiling }
		:: else -> goto refused
		fi;
#endif
		atomic {
			if
			:: m[o].life == life
			:: else -> goto refused
			fi;
			time = MAX(now, m[o].word);
			if
			:: time < END
			:: else -> goto refused
			fi;
			m[o].word = time + 1
		}
		atomic {
			if
#ifdef NO_LOOK_AFTER_CLAIM
			:: m[o].life == life ->
#else
			:: m[o].life == life && time < m[o].ceiling ->
#endif
				assert(!issued[time]);
				issued[time] = true
			:: else
			fi
		}
refused:
		skip
	:: break
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
