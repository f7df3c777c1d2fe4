-- Asks another question each time: the lines of the file named by QUESTIONS, from a place that SEED draws.
local questions = {}
for line in io.lines(os.getenv("QUESTIONS")) do questions[#questions + 1] = line end
local key = os.getenv("KEY")
local at = 0

function init(args)
  math.randomseed(tonumber(os.getenv("SEED") or "1"))
  at = math.random(#questions)
end

function request()
  at = at % #questions + 1
  local method, path, body = questions[at]:match("^(%u+) (%S+) ?(.*)$")
  local headers = { ["Authorization"] = "Bearer " .. key }
  if method == "POST" then headers["Content-Type"] = "application/json" else body = nil end
  return wrk.format(method, path, headers, body)
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format("p99 %.1f ms, %d failed\n", latency:percentile(99) / 1000,
    errors.status + errors.connect + errors.read + errors.timeout))
end
