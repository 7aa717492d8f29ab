#!/usr/bin/env bash
# Checks and measures the games on a GPU, then continues a training run there: in less than ten minutes, on a machine
# without network. It has never run on a GPU. In numba's simulator its steps have run with fewer games, except for the
# compilation for the CPU and compute-sanitizer, and with training and searches on the CPU. What to do:
#
# 1. On a machine with network, for the Python of the machine with the GPU:
#    pip download --no-deps --only-binary=:all: -d .whl gymnasium pettingzoo farama-notifications
#    They are 1.2 MB, the repository is 28 MB. If numba there is older than 0.68: numba and llvmlite, too (64 MB).
#    Where they are too large at once, split -b 30M .whl/llvmlite*.whl NAME.whl.part; the parts are joined here.
# 2. On the machine with the GPU, which has torch and numba-cuda, from the root of the repository:
#    OUT=FOLDER bash training/gpu_run.sh [RUN_FOLDER [WHEELS_FOLDER]]
# 3. Read OUT/report.txt, the end of the output of each step, in this order: "no difference" twice and by all games;
#    the kernels; decisions and simulations/s beside those of the CPU; the speed of training; the sanitizer.
# 4. cat OUT/run.tar.* | tar -x in RUN_FOLDER; the next call continues the run.
#
# Games sorted by question, or one launch a step (CUDA graphs), pay if "sorted by question" is clearly faster than
# "mixed", or "a whole step" takes longer than its kernels. Each step has a limit in seconds; a step that fails does not
# stop the others. All limits together are 590 seconds.
set -u
export OUT=${OUT:?give a folder for the results} RUN=${1:-runs/gpu} WHEELS=${2:-.whl} PYTHON=${PYTHON:-python3}
SITE=$(mktemp -d)
export SITE PYTHONPATH=$SITE${PYTHONPATH:+:$PYTHONPATH} NUMBA_CACHE_DIR=$SITE/cache PYTHONUNBUFFERED=1
SIGNAL=TERM # processes in the background ignore INT
mkdir -p "$OUT"

step() { # NAME SECONDS COMMAND...: runs it with a limit, and notes the status, the time and the end of the output
    local name=$1 limit=$2 began=$SECONDS
    shift 2
    timeout --signal "$SIGNAL" --kill-after 10 "$limit" "$@" >"$SITE/log" 2>&1
    local status=$?
    { echo "== $name: status $status, $((SECONDS - began)) s"; tail -c 4000 "$SITE/log"; } | tee -a "$OUT/report.txt"
}

install() {
    local first
    for first in "$WHEELS"/*.whl.partaa; do
        [ -e "$first" ] && cat "${first%aa}"?? >"${first%.partaa}"
    done
    local wheels=("$WHEELS"/*.whl) pip=("$PYTHON" -m pip install -q --no-index --no-deps --no-compile --target "$SITE")
    [ -e "${wheels[0]}" ] && "${pip[@]}" "${wheels[@]}"
    "${pip[@]}" --no-build-isolation .
    $PYTHON -m pip list 2>/dev/null | grep -i -E '^(numba|numba-cuda|llvmlite|numpy|torch|cuda-bindings) '
    nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader
}

compile() { # a process for each kernel, beside what the CPU needs
    local game number
    for game in bloodrage berserk; do
        $PYTHON -m bloodrage_env compile --game $game &
        for number in 0 1 2 3 4 5 6 7 8 9 10 11 12; do
            $PYTHON -m tests.gpu_compile $game $number &
        done
    done
    wait
}

equality() { # BATCHES GAMES DECISIONS EVERY: both games at once
    $PYTHON -m tests.gpu_equality bloodrage "$@" &
    local other=$!
    $PYTHON -m tests.gpu_equality berserk "$@"
    local status=$?
    wait $other && return $status
}

sanitizer() { # the kernels of 10,000 decisions of each game
    local tool game
    for tool in memcheck racecheck; do
        for game in bloodrage berserk; do
            compute-sanitizer --tool $tool "$PYTHON" -m tests.gpu_equality $game 1 32 320 || return 1
        done
    done
}

export -f install compile equality sanitizer
step install 40 bash -c install
step compile 100 bash -c compile
step "every decision of 256 games" 50 bash -c 'equality 4 64 300 1'
step "100,000 games" 70 bash -c 'equality 20 5000 150 50'
for game in bloodrage berserk; do
    step "kernels of $game" 20 "$PYTHON" -m tests.gpu_launches $game
    step "speed of $game" 60 "$PYTHON" -m bloodrage_env bench --gpu --quick --game $game
    step "speed of $game on the CPU" 25 "$PYTHON" -m bloodrage_env bench --quick --threads 16 --game $game
done
SIGNAL=INT # a run writes a checkpoint then
step training 50 "$PYTHON" -m bloodrage_env train --out "$RUN" --device cuda
step searches 40 "$PYTHON" -m bloodrage_env train --game berserk --out "$SITE/search" --device cuda \
    --set kind=search --set games=1024 --set tasks=1 --set learned=0.05 --set decisions=1
tar -C "$RUN" --exclude tensorboard -cf - . | split -b 15M - "$OUT/run.tar."
SIGNAL=TERM
step sanitizer 30 bash -c sanitizer
ls -l "$OUT"
rm -r "$SITE"
