# Shortcuts for people; everything works without just.

# replay scenarios/, write reports/, print the comparison
eval *ARGS:
    cargo run --release -- run {{ARGS}}

# run all tests
test *ARGS:
    cargo test {{ARGS}}

# go through changed snapshots
review *ARGS:
    cargo run --release -- review {{ARGS}}

# a golden file that is right now becomes the accepted one; read the diff afterwards
bless:
    PTC_EVAL_BLESS=1 cargo test

# changes of the code that verdicts rest on which no test notices (cargo install cargo-mutants); takes hours
mutants *ARGS:
    cargo mutants -p ptc-prices --file crates/ptc-prices/src/billing.rs {{ARGS}} -- --test integration -- prices expiry
    cargo mutants -p agent-logs {{ARGS}} -- --test integration
    cargo mutants --file 'src/report/**/*.rs' {{ARGS}} -- --test integration
    cargo mutants -p history-strategies -p history-evidence -p conversation -p conversation-bills {{ARGS}} -- --test integration
    cargo mutants --file 'src/measure/evidence/*.rs' --file 'src/compression/**/*.rs' {{ARGS}}

# the program while it is killed at 200 moments, disks are full, folders read-only and files few; some minutes
faults *ARGS:
    cargo build --release
    tests/faults/run {{ARGS}}

# the tests of reports/index.html in Chromium (Debian's package, or CHROMIUM=PATH)
browser:
    cargo build --release
    npm ci --prefix tests/browser --no-audit --no-fund
    npm test --prefix tests/browser

# the documentation as a site in target/book (cargo install mdbook)
book:
    mdbook build docs

# into dist/: crates, an archive with the static binary, a wheel, packages for npm
dist:
    packaging/dist

# the image ptc-eval, with the static binary in dist/
image:
    packaging/image

# installs what is in dist/, and the image, into empty places without Rust, and uses it there
check-dist:
    packaging/check

# format, lint, test, and the main job as CI does it
ci:
    .ci/run
