# The wasm module: no entry point, no imports, a memory of its own that can grow. Its exports are the functions that
# wasm/exports.c marks with export_name.
add_executable(pagelane_module $<TARGET_OBJECTS:pagelane_objects> ${codec_objects})
set_target_properties(pagelane_module PROPERTIES OUTPUT_NAME pagelane SUFFIX .wasm)

# What engines have known for longer than SIMD, and SIMD.
set(features -mbulk-memory -msign-ext -mnontrapping-fptoint)
if(PAGELANE_WASM_SIMD)
  list(APPEND features -msimd128)
endif()

# Every reader of a web page pays for the module's size: control code is compiled for size alone (-Oz), loops over values and
# bytes with -Os, which in wasm runs as fast as -O3 (engines optimise what is hot again), and our own code is optimised as one
# (-flto). For zstd -Os decodes as fast as -O3 at two thirds of the size; one Huffman decoder (of two symbols a step) and one
# sequence decoder do for pages as well as the four that it comes with. zlib's tables of constants are made when they are first
# needed.
set(hot_sources
  src/base/bits.c src/compression/lz4.c src/compression/snappy.c src/encodings/delta_byte_array.c
  src/encodings/delta_length_byte_array.c src/encodings/plain.c src/encodings/rle_dictionary.c
  src/kernels/crc32_tables.c src/kernels/isa_scalar.c src/page/append.c wasm/isa_simd128.c)
set_source_files_properties(${hot_sources} PROPERTIES COMPILE_OPTIONS -Os)
target_compile_options(pagelane_objects PRIVATE -Oz -flto)
if(TARGET pagelane_zlib)
  set_source_files_properties(${PAGELANE_ZLIB_SOURCE}/inffast.c PROPERTIES COMPILE_OPTIONS -O3)
  target_compile_options(pagelane_zlib PRIVATE -Os)
  target_compile_definitions(pagelane_zlib PRIVATE DYNAMIC_CRC_TABLE BUILDFIXED)
endif()
if(TARGET pagelane_zstd)
  target_compile_options(pagelane_zstd PRIVATE -Os)
  target_compile_definitions(pagelane_zstd PRIVATE
    HUF_FORCE_DECOMPRESS_X2 ZSTD_FORCE_DECOMPRESS_SEQUENCES_SHORT)
endif()
foreach(part pagelane_objects pagelane_zstd pagelane_zlib)
  if(TARGET ${part})
    target_compile_options(${part} PRIVATE ${features} -ffunction-sections -fdata-sections)
    target_compile_definitions(${part} PRIVATE NDEBUG)
  endif()
endforeach()

# The stack lies below the data, so that running over its end is a trap and not a silent overwrite of data.
if(EMSCRIPTEN)
  # The same in the words of emcc, which optimises once more at the end, as the link line says.
  target_link_options(pagelane_module PRIVATE
    -O3 -sSTANDALONE_WASM --no-entry -sALLOW_MEMORY_GROWTH -sINITIAL_MEMORY=1MB -sMAXIMUM_MEMORY=4GB -sMALLOC=none
    -sTOTAL_STACK=131072 -Wl,--stack-first)
else()
  target_link_options(pagelane_module PRIVATE
    -nostartfiles -Wl,--no-entry -Wl,--export-memory -Wl,--stack-first -Wl,-z,stack-size=131072
    -Wl,--gc-sections -Wl,--strip-all -Wl,--fatal-warnings)
endif()
