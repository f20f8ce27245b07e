# SPDX-License-Identifier: GPL-2.0-or-later
# Install and test a formula of Homebrew without Homebrew: the words that it uses, with the same
# meaning, in as few lines as possible.
#
# usage: ruby formula.rb FORMULA TREE PREFIX     TREE: the release, unpacked
require "English"
require "pathname"

# What stands in a block of `livecheck`.
class Livecheck
  attr_reader :pattern, :page

  def url(text)
    @page = text
  end

  def regex(pattern)
    @pattern = pattern
  end
end

class Formula
  WORDS = [:desc, :homepage, :url, :sha256, :license].freeze
  NEEDS = [:depends_on, :uses_from_macos].freeze

  class << self
    attr_reader :formula, :stated, :needed, :livechecked, :test_block

    def inherited(formula)
      super
      @formula = formula
      formula.instance_variable_set(:@stated, {})
      formula.instance_variable_set(:@needed, [])
    end

    WORDS.each { |word| define_method(word) { |text| @stated[word] = text } }
    NEEDS.each { |word| define_method(word) { |thing| @needed << thing } }

    def livecheck(&block)
      @livechecked = Livecheck.new
      @livechecked.instance_eval(&block)
    end

    def test(&block)
      @test_block = block
    end
  end

  attr_reader :prefix

  def initialize(prefix)
    @prefix = Pathname.new(prefix)
  end

  def version
    self.class.stated[:url][/flametty-([0-9.]+)\.tar/, 1]
  end

  def bin
    prefix/"bin"
  end

  def doc
    prefix/"share/doc/flametty"
  end

  def bash_completion
    prefix/"etc/bash_completion.d"
  end

  def zsh_completion
    prefix/"share/zsh/site-functions"
  end

  def fish_completion
    prefix/"share/fish/vendor_completions.d"
  end

  def std_configure_args
    ["--disable-debug", "--disable-dependency-tracking", "--prefix=#{prefix}"]
  end

  def system(*command)
    Kernel.system(*command, out: File::NULL) || raise("fails: #{command.join(" ")}")
  end

  def shell_output(command)
    text = `#{command}`
    raise "status #{$CHILD_STATUS.exitstatus}: #{command}" unless $CHILD_STATUS.success?

    text
  end

  def assert_match(wanted, text)
    raise "no '#{wanted}' in:\n#{text}" unless text.include?(wanted)
  end
end

file, tree, prefix = ARGV
load File.expand_path(file)
formula = Formula.formula
missing = Formula::WORDS - formula.stated.keys
raise "nothing says #{missing.join(", ")}" if missing.any?

page = "<a href=\"flametty-12.3.4.tar.gz\">"
raise "livecheck finds no release" if page[formula.livechecked.pattern, 1] != "12.3.4"

made = formula.new(prefix)
Dir.chdir(tree) { made.install }
made.instance_eval(&formula.test_block)
