# SPDX-License-Identifier: GPL-2.0-or-later
class Flametty < Formula
  desc "Flame charts of JavaScript CPU profiles in the terminal"
  homepage "https://example.org/flametty"
  url "https://example.org/flametty/releases/flametty-0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "GPL-2.0-or-later"

  livecheck do
    url "https://example.org/flametty/releases/"
    regex(/href=.*?flametty[._-]v?(\d+(?:\.\d+)+)\.t/i)
  end

  depends_on "pkgconf" => :build
  depends_on "json-c"
  depends_on "lz4"
  depends_on "ncurses"
  depends_on "pcre2"
  depends_on "zstd"

  uses_from_macos "zlib"

  def install
    args = %W[
      --disable-silent-rules
      --with-bash-completion-dir=#{bash_completion}
      --with-zsh-completion-dir=#{zsh_completion}
      --with-fish-completion-dir=#{fish_completion}
    ]
    system "./configure", *args, *std_configure_args
    system "make", "install"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/flametty --version")
    profile = doc.glob("examples/http-server/*.cpuprofile").first
    assert_match "formatPrice", shell_output("#{bin}/flametty report #{profile}")
    assert_match "main thread", shell_output("#{bin}/flametty --render=80x24 #{profile}")
  end
end
