# The wasm module: no entry point, no imports, a memory of its own that can grow. Its exports are the functions that
# wasm/exports.c marks with export_name.
add_executable(pagelane_module $<TARGET_OBJECTS:pagelane_objects> ${codec_objects})
set_target_properties(pagelane_module PROPERTIES OUTPUT_NAME pagelane SUFFIX .wasm)

foreach(part pagelane_objects pagelane_zstd pagelane_zlib)
  if(TARGET ${part})
    target_compile_options(${part} PRIVATE -O3 -ffunction-sections -fdata-sections)
    target_compile_definitions(${part} PRIVATE NDEBUG)
  endif()
endforeach()

# The stack lies below the data, so that running over its end is a trap and not a silent overwrite of data.
target_link_options(pagelane_module PRIVATE
  -nostartfiles -Wl,--no-entry -Wl,--export-memory -Wl,--stack-first -Wl,-z,stack-size=131072
  -Wl,--gc-sections -Wl,--strip-all -Wl,--fatal-warnings)
