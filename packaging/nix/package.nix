# SPDX-License-Identifier: GPL-2.0-or-later
# nix-build -E '(import <nixpkgs> { }).callPackage ./package.nix { }'
{
  lib,
  stdenv,
  fetchurl,
  pkg-config,
  check,
  tmux,
  json_c,
  lz4,
  ncurses,
  pcre2,
  zlib,
  zstd,
}:

stdenv.mkDerivation (finalAttrs: {
  pname = "flametty";
  version = "0.1.0";

  src = fetchurl {
    url = "https://example.org/flametty/releases/flametty-${finalAttrs.version}.tar.gz";
    sha256 = "0000000000000000000000000000000000000000000000000000000000000000";
  };

  strictDeps = true;
  enableParallelBuilding = true;

  nativeBuildInputs = [ pkg-config ];
  buildInputs = [
    json_c
    lz4
    ncurses
    pcre2
    zlib
    zstd
  ];

  doCheck = true;
  nativeCheckInputs = [ tmux ];
  checkInputs = [ check ];
  # Some tests are scripts of bash or Python.
  preCheck = "patchShebangs tests";

  meta = {
    description = "Flame charts of JavaScript CPU profiles in the terminal";
    homepage = "https://example.org/flametty";
    license = lib.licenses.gpl2Plus;
    mainProgram = "flametty";
    platforms = lib.platforms.unix;
  };
})
