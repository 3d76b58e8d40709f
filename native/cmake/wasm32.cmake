# Toolchain file for the wasm module: the wasi-sdk that WASI_SDK_PATH names, else a clang 19 of the system with the
# wasi-libc that its distribution puts in its default places. Both are the same compiler and C library.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)

if(DEFINED ENV{WASI_SDK_PATH} AND NOT "$ENV{WASI_SDK_PATH}" STREQUAL "")
  set(CMAKE_C_COMPILER "$ENV{WASI_SDK_PATH}/bin/clang")
  set(CMAKE_AR "$ENV{WASI_SDK_PATH}/bin/llvm-ar")
  set(CMAKE_RANLIB "$ENV{WASI_SDK_PATH}/bin/llvm-ranlib")
  set(CMAKE_SYSROOT "$ENV{WASI_SDK_PATH}/share/wasi-sysroot")
else()
  set(CMAKE_C_COMPILER clang-19)
  set(CMAKE_AR llvm-ar-19)
  set(CMAKE_RANLIB llvm-ranlib-19)
endif()

# A program cannot be linked before there is one without an entry point.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)

# Optimisation flags are no business of CMake's build types here: they would stand on the link line too, where clang's driver
# then runs whatever wasm-opt it finds on PATH.
set(CMAKE_C_FLAGS_RELEASE "" CACHE STRING "")
