import type { Plugin } from 'vite'

/**
 * Marks the named files as called nearly whole by the first picture: the browser then compiles each as a whole while it
 * arrives, beside the main thread, and not one function after the other when each is called (V8's explicit compile hints;
 * other browsers read a comment).
 */
export function compileHints(names: readonly string[]): Plugin {
  return {
    name: 'plinth:compile-hints',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      // Late: the hint counts as the first line only, and other plugins write above what they find.
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle))
          if (file.type === 'chunk' && names.includes(file.name))
            file.code = `//# allFunctionsCalledOnLoad\n${file.code}`
      },
    },
  }
}
