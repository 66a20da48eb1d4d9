package redisstore

// script is what the server runs for one method. All have one key, or a second one
// with the same hash tag.
type script struct {
	name    string
	changes bool
	source  string
}

// How scripts end: with one of these words, and for some a value.
const (
	wordDone     = "done"
	wordNone     = "none"     // there is no such key
	wordKept     = "kept"     // there is one already
	wordFull     = "full"     // the counter has no room
	wordForeign  = "foreign"  // the value isn't a counter's
	wordConflict = "conflict" // the record isn't the old one
)

// counterOnly reads the counter into v, and ends a script whose key holds none.
// Redis itself would take "-5" for a number.
const counterOnly = `
local v = redis.call('GET', KEYS[1])
if not v then
  return {'none'}
end
if v ~= '0' and not string.find(v, '^[1-9][0-9]*$') then
  return {'foreign', v}
end
`

// create makes a counter that stands at ARGV[1].
var create = script{"create", true, `
if redis.call('SET', KEYS[1], ARGV[1], 'NX') then
  return {'done'}
end
return {'kept'}
`}

// allocate adds ARGV[1]. What INCRBY returns is rounded on its way into Lua, so
// the sum is read again; and it is INCRBY that knows whether there is room, and
// whether v is a number at all that has a place in 64 bits.
var allocate = script{"allocate", true, counterOnly + `
local sum = redis.pcall('INCRBY', KEYS[1], ARGV[1])
if type(sum) == 'table' and sum.err then
  if string.find(sum.err, 'overflow', 1, true) then
    return {'full', v}
  end
  if string.find(sum.err, 'not an integer', 1, true) then
    return {'foreign', v}
  end
  return sum
end
return {'done', redis.call('GET', KEYS[1])}
`}

// peek reads the counter.
var peek = script{"peek", false, counterOnly + `
return {'done', v}
`}

// raise stores ARGV[1] if it is larger than the counter: longer, or as long and
// larger in the first digit that differs. The operator < would ask the locale.
var raise = script{"raise", true, counterOnly + `
local to = ARGV[1]
local larger = #to > #v
if #to == #v then
  for i = 1, #to do
    local a, b = string.byte(v, i), string.byte(to, i)
    if a ~= b then
      larger = b > a
      break
    end
  end
end
if not larger then
  return {'done', v}
end
redis.call('SET', KEYS[1], to)
return {'done', to}
`}

// get reads the record.
var get = script{"get", false, `
local v = redis.call('GET', KEYS[1])
if not v or v == '' then
  return {'none'}
end
return {'done', v}
`}

// left reads the record, and for how many milliseconds KEYS[2] will be there.
var left = script{"get", false, `
local v = redis.call('GET', KEYS[1])
if not v or v == '' then
  return {'none'}
end
return {'done', v, string.format('%d', math.max(redis.call('PTTL', KEYS[2]), 0))}
`}

// compareAndSet stores ARGV[2] if the record is ARGV[1], or if there is none and
// ARGV[1] is empty. KEYS[2] is there for ARGV[3] milliseconds from now on.
var compareAndSet = script{"compare and set", true, `
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then
  return {'conflict'}
end
redis.call('SET', KEYS[1], ARGV[2])
if ARGV[3] == '0' then
  redis.call('DEL', KEYS[2])
else
  redis.call('SET', KEYS[2], 'alive', 'PX', ARGV[3])
end
return {'done'}
`}
