#!/usr/bin/env bash
# Installs what building, running and testing need.
#
#   setup.sh            everything
#   setup.sh window     what a window on a real display needs
#
# Parts of npm and of Cargo are fetched without a question. Packages of the system are installed after showing the
# line and a yes; at once with CI=true or YES=1, and for root without a terminal. Where the packages' names are
# known but installing them is the person's business, the line is printed.
source "$(dirname "$0")/common.sh"

extent=${1:-everything}

# One row for each thing needed: how it is recognised, and its package with apt, dnf, pacman and zypper.
# A dash: comes with another one, or has no package there.
readonly window_needs='
command:cc                       build-essential             gcc-c++               base-devel          gcc-c++
command:pkg-config               pkg-config                  pkgconf-pkg-config    pkgconf             pkg-config
library:webkit2gtk-4.1           libwebkit2gtk-4.1-dev       webkit2gtk4.1-devel   webkit2gtk-4.1      webkit2gtk3-devel
'
readonly test_needs='
command:Xvfb                     xvfb                        xorg-x11-server-Xvfb  xorg-server-xvfb    xorg-x11-server-Xvfb
command:WebKitWebDriver          webkit2gtk-driver           webkit2gtk-driver     webkitgtk-6.0       webkit2gtk-4_1-driver
command:strace                   strace                      strace                strace              strace
font:en                          fonts-noto-core             google-noto-sans-fonts          noto-fonts          noto-sans-fonts
font:zh                          fonts-noto-cjk              google-noto-sans-cjk-fonts      noto-fonts-cjk      noto-sans-cjk-fonts
font:und-zsye                    fonts-noto-color-emoji      google-noto-color-emoji-fonts   noto-fonts-emoji    noto-coloremoji-fonts
'

present() {
    local name=${1#*:}
    case $1 in
    command:*) has "$name" ;;
    library:*) has pkg-config && pkg-config --exists "$name" ;;
    font:*) has fc-list && [[ -n $(fc-list ":lang=$name" family) ]] ;;
    esac
}

# Prints the packages of column $1 of what is needed and not there, each once.
missing_packages() {
    local column=$1 recognised packages
    {
        printf '%s' "$window_needs"
        if [[ $extent == everything ]]; then printf '%s' "$test_needs"; fi
    } | while read -r recognised packages; do
        if [[ -n $recognised ]] && ! present "$recognised"; then
            awk -v column="$column" '{ print $column }' <<<"$packages"
        fi
    done | sort -u | grep -vx -- - || true
}

# The way this person becomes root, if any is needed.
as_root() {
    if [[ $(id -u) != 0 ]]; then echo "sudo "; fi
}

agreed() {
    if [[ ${CI:-} == true || ${YES:-} == 1 ]]; then return 0; fi
    if [[ ! -t 0 ]]; then [[ $(id -u) == 0 ]]; return; fi
    local answer
    read -r -p "Run it now? [y/N] " answer
    [[ $answer == [yY]* ]]
}

install_with_apt() {
    local packages line
    packages=$(missing_packages 1 | paste -sd ' ')
    if [[ -z $packages ]]; then return; fi
    line="$(as_root)apt-get update && $(as_root)env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends $packages"
    say "These packages of the system are missing: $packages" "$line"
    agreed || fail "Run that line, then this command again."
    if ! bash -c "$line" >&2; then
        fail "apt-get failed; what it said stands above. Nothing else was changed."
    fi
}

# Where the packages are the person's own business: says the line and stops.
ask_for() {
    local column=$1 line=$2 packages
    packages=$(missing_packages "$column" | paste -sd ' ')
    if [[ -n $packages ]]; then
        fail "These packages of the system are missing. Run this line, then this command again:" "  $(as_root)$line $packages"
    fi
}

install_system_packages() {
    if [[ $(uname -s) == Darwin ]]; then
        xcode-select -p >/dev/null 2>&1 || fail "Apple's compiler is missing. Run: xcode-select --install"
        if [[ $extent == everything ]]; then
            say "The tests of the real window need Linux; on this system they are left out."
        fi
    elif has apt-get; then
        install_with_apt
    elif has dnf; then
        ask_for 2 "dnf install"
    elif has pacman; then
        ask_for 3 "pacman -S --needed"
    elif has zypper; then
        ask_for 4 "zypper install"
    elif has brew; then
        has pkg-config || fail "pkg-config is missing. Run: brew install pkgconf"
    elif [[ -n $(missing_packages 1) ]]; then
        fail "This system's packages are not known here. Needed, by their Debian names:" "$(missing_packages 1)"
    fi
}

# Rust of the version that rust-toolchain.toml names; rustup fetches it.
check_rust() {
    has cargo || fail "Rust is missing. Get it from https://rustup.rs, then run this command again."
    if has rustup; then
        rustup show active-toolchain >/dev/null 2>&1 || rustup toolchain install >&2
    fi
    local wanted found
    wanted=$(sed -n 's/^channel = "\([0-9]*\.[0-9]*\).*/\1/p' rust-toolchain.toml)
    found=$(rustc --version | sed 's/rustc \([0-9]*\.[0-9]*\).*/\1/')
    if [[ $(printf '%s\n' "$wanted" "$found" | sort -V | head -n 1) != "$wanted" ]]; then
        fail "Rust $found is too old: $wanted is needed. With rustup: rustup toolchain install"
    fi
}

check_node() {
    if ! has node || ! has npm; then fail "Node.js 20.19 or newer is missing, with npm. Get it from https://nodejs.org."; fi
    node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' ||
        fail "Node.js $(node --version) is too old: 20.19 is needed. Get it from https://nodejs.org."
}

# Parts of the front end, when the lock file is not the one they were installed from.
install_node_parts() {
    local installed_from=ui/node_modules/.installed-from
    if cmp -s ui/package-lock.json "$installed_from"; then return; fi
    say "Fetching the parts of the front end."
    (cd ui && npm ci --no-audit --no-fund >&2)
    cp ui/package-lock.json "$installed_from"
}

check_rust
check_node
install_system_packages
install_node_parts
say "Everything needed is there."
