#!/bin/bash
#SBATCH --job-name=tilewright
#SBATCH --ntasks=64
#SBATCH --cpus-per-task=1
#SBATCH --mem-per-cpu=1G
#SBATCH --time=12:00:00
#SBATCH --requeue
# sbatch slurm.sh FOLDER GAME... [options of simulate]: one worker for each task but one, which is
# left to the scheduler and to whoever asks. FOLDER is on a disk that all nodes share. A job that
# ends early is sent again with the same words and goes on with the chunks that are there.
set -euo pipefail
folder="${1:?a folder for the records comes first}"
shift
mkdir -p "$folder"
file="$folder/scheduler-$SLURM_JOB_ID.json"
trap 'kill $(jobs -p) 2>/dev/null; rm -f "$file"' EXIT
dask scheduler --port 0 --no-dashboard --scheduler-file "$file" &
srun --ntasks="$((SLURM_NTASKS - 1))" --cpus-per-task=1 \
  dask worker --scheduler-file "$file" --nthreads 1 --no-nanny --no-dashboard \
  --memory-limit 1GB --local-directory "${TMPDIR:-/tmp}" --death-timeout 300 &
tilewright simulate "$@" --scheduler "$file" --scheduler-timeout 600 \
  --out "$folder/records" --resume
