/** True once `condition` has held for `pause` milliseconds: a grey bar that would only flash is never shown. */
export function after(condition: () => boolean, pause: number): { readonly passed: boolean } {
  let passed = $state(false);
  $effect(() => {
    if (!condition()) {
      passed = false;
      return;
    }
    const timer = setTimeout(() => {
      passed = true;
    }, pause);
    return () => clearTimeout(timer);
  });
  return {
    get passed() {
      return passed;
    },
  };
}
