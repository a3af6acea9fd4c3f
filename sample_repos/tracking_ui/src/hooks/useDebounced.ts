import { useEffect, useRef, useState } from "react";

/** A value that follows another one only after it has been quiet for a while. */
export function useDebounced<T>(value: T, milliseconds: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return settled;
}

/** A function that runs at most once in each stretch of time. */
export function useThrottled<A extends unknown[]>(
  action: (...args: A) => void,
  milliseconds: number,
): (...args: A) => void {
  const last = useRef(0);
  return (...args: A) => {
    const now = Date.now();
    if (now - last.current >= milliseconds) {
      last.current = now;
      action(...args);
    }
  };
}
